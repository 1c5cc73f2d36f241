using Larder.Tuner.Bench;

namespace Larder.Tuner.Tests.Bench;

public sealed class TlsBenchTests
{
    [RedisFact]
    public async Task Sweep_measures_TLS_client_plaintext_client_and_TLS_peer()
    {
        BenchOptions options = new()
        {
            Rungs = Rung.ParseAll("5", null),
            Transports = ["pipeline"],
            Peers = ["redis"],
            BesidePlaintext = true,
            Seconds = 0.2,
            WarmupSeconds = 0.1,
            RepeatDisturbed = false,
        };
        await using Field field = await Field.StartAsync(options);
        IReadOnlyList<BenchRow> rows = await new Sweep(options, field.Contenders, new JsonView()).RunAsync();
        Assert.Equal(["dotnet TLS", "dotnet pipeline plaintext", "stackexchange-redis"], rows.Select(row => row.Client));
        Assert.All(rows, row => Assert.True(row.RequestsPerSecond > 0 && row.Errors == 0, $"{row}"));
        Assert.Equal(["dotnet pipeline plaintext", "stackexchange-redis"], field.PeerNames.Order());
    }
}
