// The benchmarks that wait for a disk: a publisher that needs answers, and writers of the same rows
// by lean servers, bare SQLite and redis.
//
//   durable publish CONTROL SESSIONS WINDOW SECONDS
//       Acknowledged publishes of notifications with ids, round robin over s00000, s00001 …, with
//       WINDOW unanswered.
//   durable sqlite FILE WINDOW SECONDS
//       Writes the daemon's rows for such a publish (the session's row as in FILE, and the id's
//       mark) to a copy of a daemon's file, with its settings. WINDOW publishes to a transaction
//       are the best service for that many unanswered.
//   durable lean ENDPOINT FILE
//       A server that only writes the same rows, all waiting ones in one transaction, and then
//       answers. It runs until it is killed.
//   durable append ENDPOINT FILE
//       The same without a database: it appends the rows' bytes to a file and syncs it. This is
//       the least work for a durable answer over ZeroMQ.
//   durable redis PORT FILE WINDOW SECONDS
//       The same bytes as one HSET (state, mark) for each publish, WINDOW unanswered.
//   durable notify EVENTS UPDATES SESSIONS SECONDS WINDOW
//       Notifications without answers, round robin over s00000 …, with at most WINDOW not yet in
//       the published counts.
//   durable touch CONTROL SESSIONS WINDOW
//       Opens s00000 … once each, WINDOW unanswered, and prints the time.
//
// Each mode prints one line of JSON at its end.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sqlite3.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Entries in a session's ring of applied ids.
constexpr int ringSize = 1024;
constexpr int answerMillisecondsMax = 30'000;

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "durable: %s\n", what.c_str());
    std::exit(1);
}

void check(bool isGood, const char *what) {
    if (!isGood) fail(what);
}

double monotonic() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string session(long number) {
    char name[32];
    std::snprintf(name, sizeof name, "s%05ld", number);
    return name;
}

/// The time of each answer, in microseconds.
struct Latencies {
    std::vector<double> all;
    double began = monotonic();

    void add(double sent, double now) { all.push_back((now - sent) * 1e6); }

    void print() {
        const double elapsed = monotonic() - began;
        std::sort(all.begin(), all.end());
        const auto at = [&](double share) {
            if (all.empty()) return 0.0;
            return all[std::min(all.size() - 1, static_cast<size_t>(share * all.size()))];
        };
        std::printf(
            "{\"count\":%zu,\"seconds\":%.6f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f}\n",
            all.size(), elapsed, at(0.5), at(0.99), all.empty() ? 0.0 : all.back());
    }
};

// MARK: The daemon

/// A DEALER that keeps a window of requests unanswered.
class Requests {
public:
    Requests(const char *endpoint, long window) : window(window), sent(window) {
        socket = zmq_socket(zmq_ctx_new(), ZMQ_DEALER);
        const int limit = 0;
        zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit);
        zmq_setsockopt(socket, ZMQ_RCVHWM, &limit, sizeof limit);
        zmq_setsockopt(socket, ZMQ_RCVTIMEO, &answerMillisecondsMax, sizeof answerMillisecondsMax);
        check(socket && zmq_connect(socket, endpoint) == 0, "cannot connect");
        for (long slot = 0; slot < window; ++slot) free.push_back(window - 1 - slot);
    }

    bool hasRoom() const { return !free.empty(); }
    bool isAnswered() const { return static_cast<long>(free.size()) == window; }

    /// `body` is the request without its id and closing brace.
    void send(const std::string &body) {
        const long slot = free.back();
        free.pop_back();
        const std::string request = body + ",\"id\":" + std::to_string(slot) + "}";
        sent[slot] = monotonic();
        check(zmq_send(socket, request.data(), request.size(), 0) >= 0, "zmq_send");
    }

    void receive(Latencies &latencies) {
        char reply[1024];
        const int size = zmq_recv(socket, reply, sizeof reply - 1, 0);
        check(size > 0, "no answer came");
        reply[std::min<int>(size, sizeof reply - 1)] = 0;
        const char *id = std::strstr(reply, "\"id\":");
        if (!id || !std::strstr(reply, "\"ok\":true") || std::strstr(reply, "duplicate")) {
            fail(std::string("an answer that nobody wants: ") + reply);
        }
        const long slot = std::atol(id + 5);
        latencies.add(sent[slot], monotonic());
        free.push_back(slot);
    }

private:
    void *socket;
    long window;
    std::vector<double> sent;
    std::vector<long> free;
};

void publish(const char *endpoint, long sessions, long window, double duration) {
    Requests requests(endpoint, window);
    Latencies latencies;
    const double end = latencies.began + duration;
    const long life = static_cast<long>(getpid());
    long number = 0;
    while (!requests.isAnswered() || monotonic() < end) {
        while (requests.hasRoom() && monotonic() < end) {
            requests.send(
                "{\"op\":\"publish\",\"topic\":\"notification/" + session(number % sessions)
                + "\",\"body\":{\"kind\":\"mails\",\"id\":\"n-" + std::to_string(life) + "-"
                + std::to_string(number) + "\"}");
            ++number;
        }
        if (!requests.isAnswered()) requests.receive(latencies);
    }
    latencies.print();
}

void touch(const char *endpoint, long sessions, long window) {
    Requests requests(endpoint, window);
    Latencies latencies;
    for (long number = 0; number < sessions || !requests.isAnswered();) {
        while (requests.hasRoom() && number < sessions) {
            requests.send(
                "{\"op\":\"open\",\"scene\":\"none\",\"session\":\"" + session(number++) + "\"");
        }
        requests.receive(latencies);
    }
    latencies.print();
}

/// The whole number after `"key":`, or -1.
long field(std::string_view body, std::string_view key) {
    const size_t place = body.find(key);
    return place == std::string_view::npos ? -1 : std::atol(body.data() + place + key.size());
}

void notify(
    const char *events, const char *updates, long sessions, double duration, long window) {
    void *context = zmq_ctx_new(), *out = zmq_socket(context, ZMQ_XPUB);
    void *in = zmq_socket(context, ZMQ_SUB);
    const int isOn = 1, unlimited = 0;
    zmq_setsockopt(out, ZMQ_XPUB_NODROP, &isOn, sizeof isOn);
    zmq_setsockopt(in, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(in, ZMQ_RCVTIMEO, &answerMillisecondsMax, sizeof answerMillisecondsMax);
    check(zmq_connect(out, events) == 0 && zmq_connect(in, updates) == 0, "cannot connect");
    for (const char *topic : {"badge/", "sync/bench"}) {
        zmq_setsockopt(in, ZMQ_SUBSCRIBE, topic, std::strlen(topic));
    }
    char topic[256], body[8192];
    check(zmq_recv(in, topic, sizeof topic, 0) > 0, "no answer to a subscription");
    check(zmq_recv(in, body, sizeof body, 0) > 0, "no answer to a subscription");
    check(zmq_recv(out, topic, sizeof topic, 0) > 0, "nobody subscribes");

    // The last count of each session; -1: none yet.
    std::vector<long> totals(sessions, -1);
    long sent = 0, counted = 0;
    const double began = monotonic(), end = began + duration;
    for (double now = began; counted < sent || now < end;) {
        for (long burst = 0; burst < 64 && sent - counted < window && now < end; ++burst) {
            const std::string name = "notification/" + session(sent++ % sessions);
            constexpr std::string_view mails = "{\"kind\":\"mails\"}";
            check(zmq_send(out, name.data(), name.size(), ZMQ_SNDMORE) >= 0, "zmq_send");
            check(zmq_send(out, mails.data(), mails.size(), 0) >= 0, "zmq_send");
        }
        now = monotonic();
        int flags = sent - counted < window && now < end ? ZMQ_DONTWAIT : 0;
        for (int size; (size = zmq_recv(in, topic, sizeof topic - 1, flags)) >= 0;) {
            flags = ZMQ_DONTWAIT;
            topic[std::min<int>(size, sizeof topic - 1)] = 0;
            size = zmq_recv(in, body, sizeof body - 1, 0);
            body[std::min<int>(size, sizeof body - 1)] = 0;
            long &total = totals.at(std::atol(topic + sizeof "badge/s" - 1));
            const long now = field(body, "\"total\":");
            // The first count includes earlier runs, so it stands for one notification.
            counted += total < 0 ? 1 : now - total;
            total = now;
        }
        check(flags == ZMQ_DONTWAIT, "no counts come any more");
    }
    std::printf("{\"count\":%ld,\"seconds\":%.6f}\n", counted, monotonic() - began);
}

// MARK: SQLite

struct Row {
    std::string id, state;
};

class Database {
public:
    explicit Database(const char *path) {
        check(sqlite3_open(path, &handle) == SQLITE_OK, "cannot open the database");
        run("PRAGMA journal_mode = WAL");
        run("PRAGMA synchronous = FULL");
        run("PRAGMA foreign_keys = ON");
        run("PRAGMA wal_autocheckpoint = 4000");
        run("PRAGMA cache_size = -16384");
    }

    void run(const char *sql) {
        if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
            fail(std::string(sql) + ": " + sqlite3_errmsg(handle));
        }
    }

    sqlite3_stmt *prepare(const char *sql) {
        sqlite3_stmt *statement = nullptr;
        if (sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr) != SQLITE_OK) {
            fail(std::string(sql) + ": " + sqlite3_errmsg(handle));
        }
        return statement;
    }

    /// The file's sessions.
    std::vector<Row> rows() {
        std::vector<Row> rows;
        sqlite3_stmt *select = prepare("SELECT id, state FROM session ORDER BY id");
        while (sqlite3_step(select) == SQLITE_ROW) {
            rows.push_back({column(select, 0), column(select, 1)});
        }
        sqlite3_finalize(select);
        check(!rows.empty(), "the file has no sessions");
        return rows;
    }

private:
    sqlite3 *handle = nullptr;

    static std::string column(sqlite3_stmt *statement, int place) {
        const void *bytes = sqlite3_column_blob(statement, place);
        return {static_cast<const char *>(bytes),
                static_cast<size_t>(sqlite3_column_bytes(statement, place))};
    }
};

void finish(sqlite3_stmt *statement) {
    check(sqlite3_step(statement) == SQLITE_DONE, "a row cannot be written");
    sqlite3_reset(statement);
}

/// Sixteen bytes like an id's hash.
std::string hash(uint64_t number) {
    uint64_t words[2] = {number * 0x9e37'79b9'7f4a'7c15, ~number * 0xbf58'476d'1ce4'e5b9};
    return {reinterpret_cast<char *>(words), sizeof words};
}

/// Writes the rows of a publish: the session's row and the id's mark.
class Writer {
public:
    explicit Writer(const char *path) : database(path), rows(database.rows()) {
        put = database.prepare(
            "INSERT INTO session (id, state, touched) VALUES (?1, ?2, ?3) "
            "ON CONFLICT (id) DO UPDATE SET state = ?2, touched = ?3");
        mark = database.prepare(
            "INSERT OR REPLACE INTO seen VALUES ((SELECT number FROM session WHERE id = ?), ?, ?)");
    }

    /// Writes this many publishes in one transaction.
    void write(long count) {
        database.run("BEGIN IMMEDIATE");
        for (; count > 0; --count, ++number) {
            const Row &row = rows[number % rows.size()];
            const std::string bytes = hash(number);
            sqlite3_bind_text(put, 1, row.id.data(), row.id.size(), SQLITE_STATIC);
            sqlite3_bind_blob(put, 2, row.state.data(), row.state.size(), SQLITE_STATIC);
            sqlite3_bind_int64(put, 3, time(nullptr));
            finish(put);
            sqlite3_bind_text(mark, 1, row.id.data(), row.id.size(), SQLITE_STATIC);
            sqlite3_bind_int64(mark, 2, number / rows.size() % ringSize);
            sqlite3_bind_blob(mark, 3, bytes.data(), bytes.size(), SQLITE_STATIC);
            finish(mark);
        }
        database.run("COMMIT");
    }

private:
    Database database;
    std::vector<Row> rows;
    sqlite3_stmt *put = nullptr, *mark = nullptr;
    uint64_t number = 0;
};

void sqlite(const char *path, long window, double duration) {
    Writer writer(path);
    Latencies latencies;
    const double end = latencies.began + duration;
    while (monotonic() < end) {
        const double began = monotonic();
        writer.write(window);
        const double now = monotonic();
        for (long count = 0; count < window; ++count) latencies.add(began, now);
    }
    latencies.print();
}

// MARK: Lean

/// Appends the bytes of a publish's rows to its own file.
class Appender {
public:
    explicit Appender(const std::string &path) : rows(Database(path.c_str()).rows()) {
        file = open((path + ".appended").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        check(file >= 0, "cannot open the file to append to");
    }

    void write(long count) {
        bytes.clear();
        for (; count > 0; --count, ++number) {
            const Row &row = rows[number % rows.size()];
            bytes += row.id + row.state + hash(number);
        }
        check(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())
                  && fdatasync(file) == 0, "cannot append");
    }

private:
    std::vector<Row> rows;
    int file;
    std::string bytes;
    uint64_t number = 0;
};

/// A ROUTER that only writes the waiting requests and answers them, in one thread.
template <typename Keeper>
void serve(const char *endpoint, Keeper keeper) {
    void *socket = zmq_socket(zmq_ctx_new(), ZMQ_ROUTER);
    const int limit = 0;
    zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit);
    check(socket && zmq_bind(socket, endpoint) == 0, "cannot bind");
    std::printf("ready\n");
    std::fflush(stdout);
    for (std::vector<std::string> held; true; held.clear()) {
        char peer[256], body[1024];
        for (int flags = 0, size; held.size() < 2'000; flags = ZMQ_DONTWAIT) {
            if ((size = zmq_recv(socket, peer, sizeof peer, flags)) < 0) break;
            held.emplace_back(peer, size);
            size = zmq_recv(socket, body, sizeof body, 0);
            check(size >= 0, "half a request");
            const std::string_view request(body, std::min<int>(size, sizeof body));
            const std::string_view id = request.substr(request.rfind("\"id\":"));
            held.push_back("{\"ok\":true," + std::string(id));
        }
        keeper.write(static_cast<long>(held.size() / 2));
        for (size_t place = 0; place < held.size(); ++place) {
            const int more = place % 2 == 0 ? ZMQ_SNDMORE : 0;
            zmq_send(socket, held[place].data(), held[place].size(), more);
        }
    }
}

// MARK: Redis

std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}

void sendAll(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        check(count > 0, "redis does not take it");
        bytes.remove_prefix(count);
    }
}

void redis(int port, const char *path, long window, double duration) {
    const std::vector<Row> rows = Database(path).rows();
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(
        connect(socket, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0,
        "redis does not answer");
    const int isOn = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &isOn, sizeof isOn);
    Latencies latencies;
    const double end = latencies.began + duration;
    // Answers come in order, so a ring of send times is enough.
    std::vector<double> sent(window);
    uint64_t number = 0, answered = 0;
    char replies[64 * 1024];
    while (answered < number || monotonic() < end) {
        std::string requests;
        while (number - answered < static_cast<uint64_t>(window) && monotonic() < end) {
            const Row &row = rows[number % rows.size()];
            requests += "*6\r\n" + bulk("HSET") + bulk(row.id) + bulk("state") + bulk(row.state)
                + bulk(std::to_string(number / rows.size() % ringSize)) + bulk(hash(number));
            sent[number++ % window] = monotonic();
        }
        sendAll(socket, requests);
        if (answered == number) break;
        const ssize_t count = recv(socket, replies, sizeof replies, 0);
        check(count > 0, "redis has gone");
        const double now = monotonic();
        // Each answer is one line with the number of new fields.
        for (ssize_t place = 0; place < count; ++place) {
            check(replies[place] != '-', "redis refuses");
            if (replies[place] == '\n') latencies.add(sent[answered++ % window], now);
        }
    }
    latencies.print();
}

}  // namespace

int main(int count, char **words) {
    const std::string_view mode = count > 1 ? words[1] : "";
    const auto whole = [&](int place) { return std::atol(words[place]); };
    if (mode == "publish" && count == 6) {
        publish(words[2], whole(3), whole(4), std::atof(words[5]));
    } else if (mode == "notify" && count == 7) {
        notify(words[2], words[3], whole(4), std::atof(words[5]), whole(6));
    } else if (mode == "touch" && count == 5) {
        touch(words[2], whole(3), whole(4));
    } else if (mode == "sqlite" && count == 5) {
        sqlite(words[2], whole(3), std::atof(words[4]));
    } else if (mode == "lean" && count == 4) {
        serve(words[2], Writer(words[3]));
    } else if (mode == "append" && count == 4) {
        serve(words[2], Appender(words[3]));
    } else if (mode == "redis" && count == 6) {
        redis(static_cast<int>(whole(2)), words[3], whole(4), std::atof(words[5]));
    } else {
        fail("which mode? The head of durable.cpp has them");
    }
}
