namespace Larder.Lab.Peers.Attacks;

/// <summary>Starts TLS handshakes with a certificate chain. The server needs far more CPU time to verify the chain than the client needs to send it.</summary>
internal sealed class CertificateChainAttack(string name, int certificates) : IServerAttack
{
    private readonly Lazy<(string Chain, string Key)> _files = new(() =>
    {
        string folder = Directory.CreateTempSubdirectory("larder-chain-").FullName;
        (string chain, string key) = (Path.Combine(folder, "chain.pem"), Path.Combine(folder, "chain.key"));
        ExpensiveChain.Write(chain, key, certificates);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        return (chain, key);
    });

    /// <inheritdoc/>
    public string Name => name;

    /// <inheritdoc/>
    public string Description => $"handshakes with a client certificate and a chain of {certificates} certificates that are expensive to verify";

    /// <inheritdoc/>
    public AttackedServer Server => AttackedServer.ClientCertificates;

    /// <inheritdoc/>
    public string? Obstacle => OpenSsl.Obstacle;

    /// <inheritdoc/>
    public Task PrepareAsync(AttackTarget target, CancellationToken stop) => Task.Run(() => _ = _files.Value, stop);

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        (string chain, string key) = _files.Value;
        using RawTlsClient client = await RawTlsClient.ConnectAsync(target.Server, counts, chain, key, stop).ConfigureAwait(false);
        await client.HandshakeAsync(stop).ConfigureAwait(false);
        counts.AddRequests(1);
        // Waits for the server's response, which is a TLS alert.
        _ = await client.ReadAsync(stop).ConfigureAwait(false);
    }
}
