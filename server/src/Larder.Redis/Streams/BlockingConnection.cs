using System.Diagnostics.CodeAnalysis;
using Larder.Wire;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// A connection for commands that block, which means that the node replies only when it has data. The connection is not used for other commands, because their
/// replies would be delayed. Only one caller may use the connection. It sends the next request after it has received all replies.
/// </summary>
internal sealed class BlockingConnection : IDisposable
{
    private const int KeptBytes = 16 * 1024;

    private readonly IByteTransport _transport;
    private readonly ReplyInput _input;
    private readonly ITimer _limit;

    private BlockingConnection(IByteTransport transport, ReplyInput input, HelloReply hello, TimeProvider time)
    {
        _transport = transport;
        _input = input;
        Hello = hello;
        _limit = time.CreateTimer(static state => ((IByteTransport)state!).Dispose(), transport, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets the node's reply to HELLO.</summary>
    public HelloReply Hello { get; }

    /// <summary>Gets the buffer for the commands to send.</summary>
    public PooledBuffer Request { get; } = new(KeptBytes);

    /// <summary>Connects to a node and performs the handshake.</summary>
    /// <param name="context">The context of the store.</param>
    /// <param name="endPoint">The address of the node.</param>
    /// <param name="mostBytes">The maximum size of a reply, in bytes.</param>
    /// <param name="cancellationToken">Cancels the attempt.</param>
    /// <exception cref="IOException">The node cannot be reached.</exception>
    /// <exception cref="RefusedException">The node rejects the user name or password.</exception>
    /// <exception cref="OperationCanceledException">The attempt was cancelled or timed out.</exception>
    [SuppressMessage("Reliability", "CA2000", Justification = "The connection's from the moment that there is one.")]
    public static async Task<BlockingConnection> OpenAsync(
        StoreContext context, RedisEndPoint endPoint, int mostBytes, CancellationToken cancellationToken)
    {
        RedisOptions options = context.Options with { Scripts = [] };
        using CancellationTokenSource timer = new(options.ConnectTimeout, context.Time);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(timer.Token, cancellationToken);
        IByteTransport transport = await NodeConnector.ConnectAsync(endPoint, options.Tls, null, limit.Token).ConfigureAwait(false);
        ReplyInput input = new(mostBytes);
        try
        {
            HelloReply hello;
            // A pending receive can only be cancelled by closing the transport.
            await using (limit.Token.Register(static state => ((IByteTransport)state!).Dispose(), transport))
            {
                hello = await NodeHandshake.RunAsync(transport, input, options, isTracked: false).ConfigureAwait(false);
            }

            limit.Token.ThrowIfCancellationRequested();
            return new BlockingConnection(transport, input, hello, context.Time);
        }
        catch
        {
            input.Dispose();
            transport.Dispose();
            throw;
        }
    }

    /// <summary>Sends the content of <see cref="Request"/>.</summary>
    public async ValueTask SendAsync()
    {
        await _transport.SendAsync(Request.WrittenMemory).ConfigureAwait(false);
        Request.Reset(KeptBytes);
    }

    /// <summary>
    /// Reads the next reply, which is valid until the next call. If the node sends nothing for <paramref name="most"/>, the connection is closed.
    /// </summary>
    /// <exception cref="IOException">The connection is lost.</exception>
    /// <exception cref="InvalidDataException">The reply is not valid RESP3, or exceeds the maximum size.</exception>
    public async ValueTask<Range> NextAsync(TimeSpan most)
    {
        while (true)
        {
            while (_input.TryTake(out Range reply))
            {
                if (!_input.IsPush)
                {
                    return reply;
                }
            }

            _limit.Change(most, Timeout.InfiniteTimeSpan);
            int read = await _transport.ReceiveAsync(_input.Room()).ConfigureAwait(false);
            _limit.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _input.Received(read > 0 ? read : throw new IOException("The node closed the connection."));
        }
    }

    /// <summary>Returns a reader at the start of a reply.</summary>
    public RespReader At(Range reply) => new(_input.At(reply));

    /// <summary>Closes the connection. Can be called on any thread. A pending operation of the owner then fails.</summary>
    public void Close() => _transport.Dispose();

    /// <summary>Releases the buffers. Only the owner may call this.</summary>
    public void Dispose()
    {
        _limit.Dispose();
        _transport.Dispose();
        _input.Dispose();
        Request.Dispose();
    }
}
