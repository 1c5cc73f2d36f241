using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>Applies scheduled loads to a client. Tests replace it with a simulation in virtual time.</summary>
internal interface IScheduledLoad
{
    /// <summary>Gets the client's name and settings.</summary>
    ClientVariant Variant { get; }

    /// <summary>Runs a round.</summary>
    Task<Round> RunAsync(LoadStep step, OfferedLoad load);

    /// <summary>Reports the time left.</summary>
    void ShowTimeLeft(TimeSpan left);

    /// <summary>Waits, for a limited time, until the machine has no stalls.</summary>
    Task WaitForQuietAsync();
}
