/* Makes libzmq count the routing ids that it gives to peers from 0 on. */
int rand(void) { return 0; }
