#ifndef GESTURED_POSTGRES_H
#define GESTURED_POSTGRES_H
#include <postgresql/libpq-fe.h>

/* libpq, which is loaded when a database is named: a daemon that keeps its sessions in a file needs
   neither it nor the libraries that it brings. The calls of libpq-fe.h that are used here have
   their own names; without the library they end the process. */

/* Loads the library, once. NULL: it is there; else why not, in one line that lasts. Any thread may
   call it. */
const char *gp_postgres_load(void);
#endif
