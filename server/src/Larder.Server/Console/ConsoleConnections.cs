using System.IO.Pipelines;
using System.Net;
using Larder.Wire;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Larder.Server.Console;

/// <summary>
/// Limits the console's connections so that a liveness probe can always connect. A client must send the first byte within <see cref="FirstByteTimeout"/>. If
/// all slots are taken, a new connection replaces an unauthenticated connection, preferably an idle one.
/// </summary>
internal sealed class ConsoleConnections(TimeProvider time)
{
    /// <summary>The maximum number of concurrent connections. This is enough for a scraper, a probe and a few browsers with six connections each.</summary>
    public const int Max = 64;

    /// <summary>
    /// The number of slots that authenticated connections cannot take. A probe needs a slot for a few milliseconds, and several probes may connect
    /// concurrently.
    /// </summary>
    public const int Reserved = 8;

    /// <summary>
    /// The maximum number of connections that are being closed, in addition to <see cref="Max"/>. If this number is exceeded, new connections are closed on
    /// arrival.
    /// </summary>
    public const int Closing = 32;

    /// <summary>
    /// The timeout for the first byte. Clients send their request immediately after connecting, and a lost packet is retransmitted within 3 s.
    /// </summary>
    public static readonly TimeSpan FirstByteTimeout = TimeSpan.FromSeconds(5);

    private readonly ConnectionSlots _slots = new(Max, Reserved);

    /// <summary>Returns the connection of a request; null if this class did not admit the connection.</summary>
    public static ConsoleConnection? Of(HttpContext context) =>
        context.Features.Get<IConnectionItemsFeature>()?.Items.TryGetValue(typeof(ConsoleConnection), out object? found) == true
            ? found as ConsoleConnection
            : null;

    /// <summary>Limits the connections of a listener. Must be called before TLS is added.</summary>
    public void Bound(ListenOptions listen) => listen.Use(next => connection => AdmitAsync(connection, next));

    /// <summary>Closes each connection that sends too many TLS records. Must be called before TLS is added to the listener.</summary>
    public void BoundRecords(ListenOptions listen) => listen.Use(next => connection =>
    {
        connection.Transport = new Duplex(new TlsRecordCounter(connection.Transport.Input, time, connection.Abort), connection.Transport.Output);
        return next(connection);
    });

    /// <summary>
    /// Closes each connection that sends no first byte in time. Must be called again after TLS is added to the listener, because the TLS handshake alone is not
    /// a request.
    /// </summary>
    public void RequireFirstByte(ListenOptions listen) => listen.Use(next => async connection =>
    {
        if (await HasFirstByteAsync(connection).ConfigureAwait(false))
        {
            await next(connection).ConfigureAwait(false);
        }
    });

    private async Task AdmitAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        ConnectionSlot? slot = _slots.TryTake((connection.RemoteEndPoint as IPEndPoint)?.Address, out _);
        if (slot is null)
        {
            connection.Abort();
            return;
        }

        try
        {
            ConsoleConnection shown = new(_slots, slot);
            connection.Items[typeof(ConsoleConnection)] = shown;
            if (slot.TryAttach(connection.Abort) && await HasFirstByteAsync(connection).ConfigureAwait(false))
            {
                await next(connection).ConfigureAwait(false);
            }
        }
        finally
        {
            _slots.Release(slot);
        }
    }

    private async Task<bool> HasFirstByteAsync(ConnectionContext connection)
    {
        using CancellationTokenSource limit = new(FirstByteTimeout, time);
        try
        {
            ReadResult first = await connection.Transport.Input.ReadAsync(limit.Token).ConfigureAwait(false);
            bool hasByte = !first.Buffer.IsEmpty;
            // Do not consume the byte, because the next reader needs it.
            connection.Transport.Input.AdvanceTo(first.Buffer.Start);
            return hasByte;
        }
        catch (Exception error) when (error is OperationCanceledException or IOException)
        {
            // The connection was silent for too long or was lost.
            connection.Abort();
            return false;
        }
    }

    private sealed record Duplex(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
