namespace Larder.Report.Runs;

/// <summary>What limits at a step, and the measurement that says so, in one sentence.</summary>
internal sealed record StepVerdict(StepLimit Limit, string Why);

/// <summary>What can limit a step.</summary>
internal enum StepLimit
{
    /// <summary>Nothing but the number of callers: more would bring more.</summary>
    Callers,

    /// <summary>The client's processors.</summary>
    ClientCpu,

    /// <summary>The client's event loop or thread pool runs work late.</summary>
    ClientScheduler,

    /// <summary>Streams allowed on a connection.</summary>
    StreamLimit,

    /// <summary>The way between client and server.</summary>
    Network,

    /// <summary>The server's processors.</summary>
    ServerCpu,

    /// <summary>The time that the server takes over a call, while its processors are idle.</summary>
    ServerTime,

    /// <summary>Client and server together use all of the machine's processors.</summary>
    MachineCpu,

    /// <summary>The load generator began calls late for which a caller was free: the schedule was not kept, and nothing is said of the server.</summary>
    Generator,

    /// <summary>The machine itself stood still: its host, its kernel.</summary>
    Stalls,

    /// <summary>Calls failed: what was measured is not the cache.</summary>
    Errors,

    /// <summary>Other programs: the step says little.</summary>
    Noise,

    /// <summary>The measurements do not tell.</summary>
    Unknown,
}
