namespace Larder.Report.Runs;

/// <summary>The bottleneck of a step, and a sentence with the measurement that shows it.</summary>
internal sealed record StepVerdict(StepLimit Limit, string Why);

/// <summary>The possible bottlenecks of a step.</summary>
internal enum StepLimit
{
    /// <summary>Only the number of callers: more callers would increase the throughput.</summary>
    Callers,

    /// <summary>The client's processors.</summary>
    ClientCpu,

    /// <summary>The client's event loop or thread pool runs work late.</summary>
    ClientScheduler,

    /// <summary>The number of streams allowed on a connection.</summary>
    StreamLimit,

    /// <summary>The network between client and server.</summary>
    Network,

    /// <summary>The server's processors.</summary>
    ServerCpu,

    /// <summary>The server's processing time per call, while its processors are idle.</summary>
    ServerTime,

    /// <summary>Client and server together use all processors of the machine.</summary>
    MachineCpu,

    /// <summary>
    /// The load generator started calls late although callers were free: the schedule was not kept, so the step says nothing about the server.
    /// </summary>
    Generator,

    /// <summary>The machine itself stalled, because of its host or kernel.</summary>
    Stalls,

    /// <summary>Calls failed, so the step did not measure the cache.</summary>
    Errors,

    /// <summary>Other programs disturbed the step, so it says little.</summary>
    Noise,

    /// <summary>The measurements do not show the bottleneck.</summary>
    Unknown,
}
