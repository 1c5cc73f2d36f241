using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Tests with callers without a token that occupy as many buffers as possible, and a client that has a token.</summary>
public sealed class UnauthenticatedBuffersFaultTests
{
    private const string Token = "sesame";

    // With 64 MiB of memory the buffers have 32 MiB. Unauthenticated connections may use a sixteenth of these buffers.
    private const long MaxUnauthenticatedBytes = 2 << 20;

    private static readonly RpcHeaders s_headers = RunningServer.CacheHeaders().With("authorization", Token);

    [Theory]
    [InlineData(TokenService.Path, RequestLimits.TokenBytes)]
    [InlineData("/grpc.health.v1.Health/Check", RequestLimits.ProbeBytes)]
    public async Task A5_unauthenticated_callers_cannot_exhaust_the_buffers(string path, int bytes)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = Token });
        List<Http2Attacker> attackers = [];
        try
        {
            long used = 0;
            await Until.TrueAsync(
                async () =>
                {
                    byte[] headers = Http2Attacker.CallHeaders(path);
                    attackers.AddRange(await Task.WhenAll(
                        Enumerable.Range(0, 8).Select(_ => BufferAttack.HoldAsync(server.Server.Endpoint, headers, bytes))));
                    used = Math.Max(used, await BufferAttack.UsedBytesAsync(server, Token));
                    return used >= MaxUnauthenticatedBytes * 3 / 4;
                },
                "callers without a token hold all that they may");
            Assert.InRange(used, 1, MaxUnauthenticatedBytes);
            for (int call = 0; call < 20; call++)
            {
                await SetLargeAsync(server.Channel);
            }

            // A new connection has enough buffer memory of its own for its first call, even without a token.
            await using RpcChannel other = StallTolerantChannel.To(server.Server.Endpoint);
            await SetLargeAsync(other);
            await using RpcChannel probe = StallTolerantChannel.To(server.Server.Endpoint);
            RpcMethod<byte[], byte[]> health = new("/grpc.health.v1.Health/Check", new RawCodec(), new RawCodec());
            Assert.Equal([8, 1], await probe.UnaryAsync(health, [], RpcHeaders.Empty, RunningServer.Patience, CancellationToken.None));
        }
        finally
        {
            attackers.ForEach(static attacker => attacker.Dispose());
        }

        await Until.TrueAsync(async () => await BufferAttack.UsedBytesAsync(server, Token) == 0, "all is given back");
    }

    [Fact]
    public async Task A5_rejected_call_does_not_authenticate_its_connection()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = Token });
        await using RpcChannel stranger = StallTolerantChannel.To(server.Server.Endpoint);
        RpcException refused = await Assert.ThrowsAsync<RpcException>(async () => await SetLargeAsync(stranger, RunningServer.CacheHeaders()));
        Assert.Equal(StatusCode.Unauthenticated, refused.Status.Code);
        await SetLargeAsync(stranger);
    }

    private static Task SetLargeAsync(RpcChannel channel, RpcHeaders? headers = null) => BufferAttack.SetAsync(channel, headers ?? s_headers, 4_000_000);
}
