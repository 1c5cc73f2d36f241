namespace Larder.Report.Runs;

/// <summary>The bottleneck of a step, and a sentence with the measurement from which it was determined.</summary>
internal sealed record StepVerdict(StepLimit Limit, string Why);

/// <summary>The possible bottlenecks of a step.</summary>
internal enum StepLimit
{
    /// <summary>The number of callers. Nothing else limits the step, so more callers would increase the throughput.</summary>
    Callers,

    /// <summary>The processors that the client uses.</summary>
    ClientCpu,

    /// <summary>The client's event loop or thread pool, which runs work late.</summary>
    ClientScheduler,

    /// <summary>The number of streams allowed on a connection.</summary>
    StreamLimit,

    /// <summary>The network between client and server.</summary>
    Network,

    /// <summary>The processors that the server uses.</summary>
    ServerCpu,

    /// <summary>The server's processing time per call, although its processors are idle.</summary>
    ServerTime,

    /// <summary>All processors of the machine, which client and server use together.</summary>
    MachineCpu,

    /// <summary>
    /// The load generator, which started calls late although callers were free. The schedule was not met, so the step gives no information about the server.
    /// </summary>
    Generator,

    /// <summary>Stalls of the machine itself, which its host or kernel caused.</summary>
    Stalls,

    /// <summary>Failed calls. The step did therefore not measure the cache.</summary>
    Errors,

    /// <summary>Other programs, which disturbed the step. Its measurements are therefore not reliable.</summary>
    Noise,

    /// <summary>The measurements do not show the bottleneck.</summary>
    Unknown,
}
