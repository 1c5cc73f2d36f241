using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Sends the gateway's directory heartbeat five times a second, more often until the first successful read, and at once when a change is announced. Also
/// sweeps old generations every two seconds.
/// </summary>
internal sealed class DirectoryLoop : IAsyncDisposable
{
    private static readonly TimeSpan FirstHeartbeatDelay = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan SweepEvery = TimeSpan.FromSeconds(2);

    private readonly FleetDirectory _directory;
    private readonly GenerationSweep _sweep;
    private readonly TimeProvider _time;
    private readonly Action<Exception> _onFault;
    private readonly StreamFollower _follower;
    private readonly CancellationTokenSource _end = new();
    private readonly Task _heartbeats;
    private readonly Task _sweeps;

    /// <param name="store">The cluster.</param>
    /// <param name="directory">The directory to refresh.</param>
    /// <param name="sweep">The sweep of old generations.</param>
    /// <param name="time">The clock.</param>
    /// <param name="onFault">Receives unexpected exceptions. The loop continues after an exception.</param>
    public DirectoryLoop(RedisStore store, FleetDirectory directory, GenerationSweep sweep, TimeProvider time, Action<Exception> onFault)
    {
        _directory = directory;
        _sweep = sweep;
        _time = time;
        _onFault = onFault;
        _follower = store.Follow(DirectoryFeed.Slot);
        _follower.Add(new DirectoryFeed(directory));
        _heartbeats = RepeatAsync(directory.SendHeartbeatAsync, () => _directory.IsKnown ? FleetDirectory.Beat : FirstHeartbeatDelay);
        _sweeps = RepeatAsync(() => _directory.IsKnown ? _sweep.RunAsync(_end.Token) : Task.CompletedTask, static () => SweepEvery);
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        await _follower.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_heartbeats, _sweeps).ConfigureAwait(false);
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
                // The error is ignored, because the store itself reports the state of its nodes, and the next attempt may succeed.
            }
            catch (OperationCanceledException)
            {
                return;
            }
#pragma warning disable CA1031 // If the loop ended, this gateway would not notice later flushes.
            catch (Exception fault)
#pragma warning restore CA1031
            {
                _onFault(fault);
            }

            await Task.Delay(pause(), _time, _end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
