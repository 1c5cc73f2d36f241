using System.Net.Sockets;
using System.Text.Json.Nodes;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Runs one attack by two concurrent attackers until the object is disposed.</summary>
internal sealed class AttackRun : IAttack
{
    /// <summary>The number of attackers, each with one connection.</summary>
    public const int Attackers = 2;

    // The delay after a failed connection, so that the attack does not become a busy loop.
    private static readonly TimeSpan s_afterFailure = TimeSpan.FromMilliseconds(20);

    private readonly CancellationTokenSource _stop = new();
    private readonly AttackCounts _counts = new();
    private readonly Task[] _attackers;

    public AttackRun(IServerAttack attack, AttackTarget target) =>
        _attackers = [.. Enumerable.Range(0, Attackers).Select(_ => Task.Run(() => RepeatAsync(attack, target, _counts, _stop.Token)))];

    /// <summary>Starts an attack. The attackers repeat it until the object is disposed.</summary>
    public static async Task RepeatAsync(IServerAttack attack, AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await attack.RunAsync(target, counts, stop).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception refused) when (refused is SocketException or IOException or ObjectDisposedException)
            {
                // The server refused the connection or closed it, which is the expected result.
                counts.AddBroken();
                await Task.Delay(s_afterFailure, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc/>
    public JsonObject Figures() => _counts.ToJson();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_attackers).ConfigureAwait(false);
        _stop.Dispose();
    }
}
