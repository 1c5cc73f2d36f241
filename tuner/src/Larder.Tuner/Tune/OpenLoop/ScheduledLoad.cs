using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.OpenLoop;

/// <summary>Applies scheduled loads to a client under test.</summary>
internal sealed class ScheduledLoad(ClientUnderTest tested, RoundRunner rounds) : IScheduledLoad
{
    private const int QuietChecks = 2;
    private const int MaxChecks = 20;
    private static readonly TimeSpan s_check = TimeSpan.FromMilliseconds(250);

    /// <inheritdoc/>
    public ClientVariant Variant => tested.Variant;

    /// <inheritdoc/>
    public Task<Round> RunAsync(LoadStep step, OfferedLoad load) => rounds.RunOnceAsync(tested, step, load);

    /// <inheritdoc/>
    public void ShowTimeLeft(TimeSpan left) => rounds.ShowTimeLeft(left);

    /// <inheritdoc/>
    public async Task WaitForQuietAsync()
    {
        int quiet = 0;
        for (int check = 0; check < MaxChecks && quiet < QuietChecks && tested.Contender.Meter is { } meter; check++)
        {
            StallReading before = meter.Read();
            await Task.Delay(s_check).ConfigureAwait(false);
            MachineStalls seen = meter.Read().Since(before);
            quiet = seen is { Over5Ms: 0, StolenSeconds: < 0.02 } ? quiet + 1 : 0;
        }
    }
}
