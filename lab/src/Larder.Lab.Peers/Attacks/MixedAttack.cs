namespace Larder.Lab.Peers.Attacks;

/// <summary>Runs all attacks on a plaintext server concurrently.</summary>
internal sealed class MixedAttack(IReadOnlyList<IServerAttack> attacks) : IServerAttack
{
    /// <inheritdoc/>
    public string Name => "mix";

    /// <inheritdoc/>
    public string Description => $"all {attacks.Count} attacks on a plaintext server, concurrently";

    /// <inheritdoc/>
    public bool FillsStore => attacks.Any(attack => attack.FillsStore);

    /// <inheritdoc/>
    public async Task PrepareAsync(AttackTarget target, CancellationToken stop)
    {
        foreach (IServerAttack attack in attacks)
        {
            await attack.PrepareAsync(target, stop).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop) =>
        Task.WhenAll(attacks.Select(attack => Task.Run(() => AttackRun.RepeatAsync(attack, target, counts, stop), stop)));
}
