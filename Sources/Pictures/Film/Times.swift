extension Array {
    /// The last element up to a time, by halving; times must not fall.
    func last(notAfter time: Double, by key: (Element) -> Double) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if key(self[middle]) <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
