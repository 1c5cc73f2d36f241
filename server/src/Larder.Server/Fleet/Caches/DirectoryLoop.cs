namespace Larder.Server.Fleet;

/// <summary>Beats for a front until it ends: five times a second, and sooner while the directory has never been read. After a beat, it sweeps.</summary>
internal sealed class DirectoryLoop : IAsyncDisposable
{
    private static readonly TimeSpan FirstBeat = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan SweepEvery = TimeSpan.FromSeconds(2);

    private readonly FleetDirectory _directory;
    private readonly GenerationSweep _sweep;
    private readonly TimeProvider _time;
    private readonly Action<Exception> _onFault;
    private readonly CancellationTokenSource _end = new();
    private readonly Task _beats;
    private readonly Task _sweeps;

    /// <param name="directory">What it reads.</param>
    /// <param name="sweep">What it sweeps with.</param>
    /// <param name="time">The clock.</param>
    /// <param name="onFault">Told of what nothing expects; the loop goes on.</param>
    public DirectoryLoop(FleetDirectory directory, GenerationSweep sweep, TimeProvider time, Action<Exception> onFault)
    {
        _directory = directory;
        _sweep = sweep;
        _time = time;
        _onFault = onFault;
        _beats = RepeatAsync(directory.BeatAsync, () => _directory.IsKnown ? FleetDirectory.Beat : FirstBeat);
        _sweeps = RepeatAsync(() => _directory.IsKnown ? _sweep.RunAsync(_end.Token) : Task.CompletedTask, static () => SweepEvery);
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_beats, _sweeps).ConfigureAwait(false);
        _end.Dispose();
    }

    private async Task RepeatAsync(Func<Task> act, Func<TimeSpan> pause)
    {
        await Task.Yield();
        while (!_end.IsCancellationRequested)
        {
            try
            {
                await act().ConfigureAwait(false);
            }
            catch (FleetQueryException)
            {
                // The store says what is wrong with its nodes; the next time it may be right.
            }
            catch (OperationCanceledException)
            {
                return;
            }
#pragma warning disable CA1031 // Without it a front would never learn of a flush again.
            catch (Exception fault)
#pragma warning restore CA1031
            {
                _onFault(fault);
            }

            await Task.Delay(pause(), _time, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
