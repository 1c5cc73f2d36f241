namespace Larder.Lab.Near;

/// <summary>What is done to a run.</summary>
internal enum NearFaultKind
{
    /// <summary>Nothing passes between the processes that only read and any server, and nothing is closed.</summary>
    CutReaders,

    /// <summary>The processes that only read stand still (SIGSTOP).</summary>
    StopReaders,

    /// <summary>Every key is written, at once.</summary>
    Sweep,

    /// <summary>A server stands still (SIGSTOP).</summary>
    StopServer,

    /// <summary>A server is killed and started anew.</summary>
    Restart,

    /// <summary>One process flushes the cache.</summary>
    Flush,
}
