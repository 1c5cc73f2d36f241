using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Larder.Wire;

/// <summary>
/// Stands before a server's HTTP/2: ends connections that do not begin as HTTP/2 in time, those that flood it with control frames, and those
/// whose reader takes nothing.
/// </summary>
internal sealed class ConnectionGuard(ConnectionDelegate next, TimeProvider time, WireHostingOptions options)
{
    public async Task OnConnectionAsync(ConnectionContext connection)
    {
        FrameScanner scanner = new(time);
        IDuplexPipe transport = connection.Transport;
        void Refuse(string reason) => connection.Abort(new ConnectionAbortedException(reason));
        GuardedReader reader = new(transport.Input, scanner, Refuse);
        using GuardedWriter writer = new(transport.Output, time, options.ReaderGrace, Refuse);
        using ITimer prefaceTimer = time.CreateTimer(
            static state =>
            {
                (FrameScanner seen, ConnectionContext late) = ((FrameScanner, ConnectionContext))state!;
                if (!seen.HasPreface)
                {
                    late.Abort(new ConnectionAbortedException("The connection did not begin in time."));
                }
            },
            (scanner, connection),
            options.RequestHeadersTimeout,
            Timeout.InfiniteTimeSpan);
        connection.Transport = new GuardedTransport(reader, writer);
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            connection.Transport = transport;
        }
    }

    private sealed class GuardedTransport(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
