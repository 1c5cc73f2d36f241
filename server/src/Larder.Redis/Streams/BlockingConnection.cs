using System.Diagnostics.CodeAnalysis;
using Larder.Wire;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <summary>
/// A connection for commands that the node answers when it has something to say: apart from those of other commands, which would wait behind them. One
/// question after the other, by one owner.
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

    /// <summary>What the node said of itself.</summary>
    public HelloReply Hello { get; }

    /// <summary>Commands that are to be sent.</summary>
    public PooledBuffer Request { get; } = new(KeptBytes);

    /// <summary>Connects and greets the node.</summary>
    /// <param name="context">The store's.</param>
    /// <param name="endPoint">Where the node is.</param>
    /// <param name="mostBytes">The longest answer.</param>
    /// <param name="cancellationToken">Gives it up.</param>
    /// <exception cref="IOException">It cannot be reached.</exception>
    /// <exception cref="RefusedException">It does not take our name or password.</exception>
    /// <exception cref="OperationCanceledException">It took too long, or was given up.</exception>
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
            // A receive is given up by closing its transport.
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

    /// <summary>Sends what was written into <see cref="Request"/>.</summary>
    public async ValueTask SendAsync()
    {
        await _transport.SendAsync(Request.WrittenMemory).ConfigureAwait(false);
        Request.Reset(KeptBytes);
    }

    /// <summary>The next answer, valid until the one after it; a node that says nothing for <paramref name="most"/> has its connection closed.</summary>
    /// <exception cref="IOException">The connection is lost.</exception>
    /// <exception cref="InvalidDataException">It is no RESP3, or longer than the longest.</exception>
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
            _input.Received(read > 0 ? read : throw new IOException("It closed the connection."));
        }
    }

    /// <summary>Reads an answer.</summary>
    public RespReader At(Range reply) => new(_input.At(reply));

    /// <summary>Closes it from any side; what its owner is at fails.</summary>
    public void Close() => _transport.Dispose();

    /// <summary>Gives back what it has; its owner alone.</summary>
    public void Dispose()
    {
        _limit.Dispose();
        _transport.Dispose();
        _input.Dispose();
        Request.Dispose();
    }
}
