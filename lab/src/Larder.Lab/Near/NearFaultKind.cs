namespace Larder.Lab.Near;

/// <summary>The kind of fault that is applied during a run.</summary>
internal enum NearFaultKind
{
    /// <summary>No data passes between the read-only processes and any server, and no connection is closed.</summary>
    CutReaders,

    /// <summary>The read-only processes are stopped with SIGSTOP.</summary>
    StopReaders,

    /// <summary>All keys are written concurrently.</summary>
    Sweep,

    /// <summary>A server is stopped with SIGSTOP.</summary>
    StopServer,

    /// <summary>A server is killed and restarted.</summary>
    Restart,

    /// <summary>One process flushes the cache.</summary>
    Flush,
}
