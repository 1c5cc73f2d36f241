using System.IO.Pipelines;
using System.Net;
using Larder.Wire;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Larder.Server.Console;

/// <summary>
/// Bounds the console's connections so that a liveness probe always gets in: the first byte is due within <see cref="FirstByteTimeout"/>, and when all slots
/// are taken, a new connection replaces an unauthenticated one, idle ones first.
/// </summary>
internal sealed class ConsoleConnections(TimeProvider time)
{
    /// <summary>The connections that are served at once: a scraper, a probe and a few people with six connections for each browser.</summary>
    public const int Max = 64;

    /// <summary>Slots that connections with a token cannot keep. A probe uses one for some milliseconds; several probes may arrive at once.</summary>
    public const int Reserved = 8;

    /// <summary>Connections that are being closed, in addition to <see cref="Max"/>; past it new ones are closed on arrival.</summary>
    public const int Closing = 32;

    /// <summary>A client sends its request as soon as it has connected; a lost packet is retransmitted within 3 s.</summary>
    public static readonly TimeSpan FirstByteTimeout = TimeSpan.FromSeconds(5);

    private readonly ConnectionSlots _slots = new(Max, Reserved);

    /// <summary>The connection of a request; null if it came past these.</summary>
    public static ConsoleConnection? Of(HttpContext context) =>
        context.Features.Get<IConnectionItemsFeature>()?.Items.TryGetValue(typeof(ConsoleConnection), out object? found) == true
            ? found as ConsoleConnection
            : null;

    /// <summary>Takes the connections of a listener; to be called before TLS is added.</summary>
    public void Bound(ListenOptions listen) => listen.Use(next => connection => AdmitAsync(connection, next));

    /// <summary>Closes the connections of a listener that flood it with TLS records; to be called before TLS is added.</summary>
    public void BoundRecords(ListenOptions listen) => listen.Use(next => connection =>
    {
        connection.Transport = new Duplex(new TlsRecordCounter(connection.Transport.Input, time, connection.Abort), connection.Transport.Output);
        return next(connection);
    });

    /// <summary>Closes the connections of a listener that stay silent; to be called again after TLS was added, for what arrives within it.</summary>
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
            // Left unread, for whoever comes next.
            connection.Transport.Input.AdvanceTo(first.Buffer.Start);
            return hasByte;
        }
        catch (Exception error) when (error is OperationCanceledException or IOException)
        {
            // Silent for too long, or lost.
            connection.Abort();
            return false;
        }
    }

    private sealed record Duplex(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
