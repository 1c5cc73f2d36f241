using System.Globalization;
using System.Text.RegularExpressions;
using Larder.Protocol;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Tests.Faults;

/// <summary>Callers without a token hold as much as they can, beside a client that has one.</summary>
public sealed class UnauthenticatedBuffersFaultTests
{
    private const string Token = "sesame";

    // Of 64 MiB of memory the buffers have 32, and unauthenticated connections a sixteenth of that.
    private const long MostUnauthenticatedBytes = 2 << 20;

    private static readonly RpcHeaders s_headers = RunningServer.CacheHeaders().With("authorization", Token);

    [Theory]
    [InlineData(TokenService.Path, RequestLimits.TokenBytes)]
    [InlineData("/grpc.health.v1.Health/Check", RequestLimits.ProbeBytes)]
    public async Task A5_callers_without_a_token_leave_the_buffers_to_others(string path, int bytes)
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = Token });
        List<Http2Attacker> attackers = [];
        try
        {
            long used = 0;
            await Until.TrueAsync(
                async () =>
                {
                    attackers.AddRange(await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => HoldAsync(server.Server.Endpoint, path, bytes))));
                    used = Math.Max(used, await ReadAsync(server, "larder_buffer_used_bytes"));
                    return used >= MostUnauthenticatedBytes * 3 / 4;
                },
                "callers without a token hold all that they may");
            Assert.InRange(used, 1, MostUnauthenticatedBytes);
            for (int call = 0; call < 20; call++)
            {
                await SetLargeAsync(server.Channel);
            }

            // A connection that is new has enough of its own for its first call, with a token and without one.
            await using RpcChannel other = PatientChannel.To(server.Server.Endpoint);
            await SetLargeAsync(other);
            await using RpcChannel probe = PatientChannel.To(server.Server.Endpoint);
            RpcMethod<byte[], byte[]> health = new("/grpc.health.v1.Health/Check", new RawCodec(), new RawCodec());
            Assert.Equal([8, 1], await probe.UnaryAsync(health, [], RpcHeaders.Empty, RunningServer.Patience, CancellationToken.None));
        }
        finally
        {
            attackers.ForEach(static attacker => attacker.Dispose());
        }

        await Until.TrueAsync(async () => await ReadAsync(server, "larder_buffer_used_bytes") == 0, "all is given back");
    }

    [Fact]
    public async Task A5_refused_call_does_not_authenticate_its_connection()
    {
        await using RunningServer server = await RunningServer.StartAsync(options => options with { Token = Token });
        await using RpcChannel stranger = PatientChannel.To(server.Server.Endpoint);
        RpcException refused = await Assert.ThrowsAsync<RpcException>(async () => await SetLargeAsync(stranger, RunningServer.CacheHeaders()));
        Assert.Equal(StatusCode.Unauthenticated, refused.Status.Code);
        await SetLargeAsync(stranger);
    }

    // A hundred calls on a connection, each of which has all of its request but the last byte.
    private static async Task<Http2Attacker> HoldAsync(Uri endpoint, string path, int bytes)
    {
        Http2Attacker attacker = await Http2Attacker.OpenAsync(endpoint);
        byte[] unfinished = new byte[5 + bytes - 1];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(unfinished.AsSpan(1), bytes);
        byte[] headers = Http2Attacker.CallHeaders(path);
        await attacker.SendAsync([.. Enumerable.Range(0, 100).SelectMany(call => (byte[])
        [
            .. Http2Attacker.Frame(Http2Attacker.Headers, Http2Attacker.EndHeaders, (call * 2) + 1, headers),
            .. Http2Attacker.Frame(Http2Attacker.Data, 0, (call * 2) + 1, unfinished),
        ])]);
        return attacker;
    }

    private static async Task SetLargeAsync(RpcChannel channel, RpcHeaders? headers = null) => await channel.UnaryAsync(
        FaultCalls.SetMethod,
        new SetRequest { Key = Calls.CallHarness.Bytes("large"), Value = Google.Protobuf.ByteString.CopyFrom(new byte[4_000_000]), TtlMs = 60_000 },
        headers ?? s_headers,
        RunningServer.Patience,
        CancellationToken.None);

    private static async Task<long> ReadAsync(RunningServer server, string metric)
    {
        using HttpClient client = new();
        client.DefaultRequestHeaders.Authorization = new("Bearer", Token);
        string text = await client.GetStringAsync(new Uri(server.Server.ConsoleEndpoint, "/metrics"));
        return long.Parse(Regex.Match(text, $@"^{metric} (\S+)$", RegexOptions.Multiline).Groups[1].Value, CultureInfo.InvariantCulture);
    }
}
