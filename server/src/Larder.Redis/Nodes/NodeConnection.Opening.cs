using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Sockets;

namespace Larder.Redis;

/// <content>Opening. The socket, TLS, HELLO and the scripts must complete within one time limit.</content>
internal sealed partial class NodeConnection
{
    private readonly CancellationTokenSource _opening = new();
    private IByteTransport? _transport;

    /// <summary>Starts to open the connection. Commands can be added immediately.</summary>
    public void Open()
    {
        // The connection outlives the current call, so the execution context of the call must not flow into the task.
        using (ExecutionContext.SuppressFlow())
        {
            _ = Task.Run(OpenAsync);
        }
    }

    [SuppressMessage("Design", "CA1031", Justification = "Whatever it is, the connection was not made, and its commands are told why.")]
    private async Task OpenAsync()
    {
        TimeSpan most = _context.Options.ConnectTimeout;
        using CancellationTokenSource timer = new(most, _context.Time);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(timer.Token, _opening.Token);
        try
        {
            IByteTransport transport = await NodeConnector.ConnectAsync(_endPoint, _context.Options.Tls, _reactor, limit.Token).ConfigureAwait(false);
            _transport = transport;
            HelloReply hello;
            // A pending receive can only be cancelled by closing the transport.
            await using (limit.Token.Register(static state => ((IByteTransport)state!).Dispose(), transport))
            {
                hello = await NodeHandshake.RunAsync(transport, _input, _context.Options, _isTracked).ConfigureAwait(false);
            }

            limit.Token.ThrowIfCancellationRequested();
            _owner.OnOpened(hello);
            SendEarly();
        }
        catch (Exception error)
        {
            string hint = _transport is null && _context.Options.Tls is not null ? " Check that the node uses TLS, or use redis:// instead of rediss://." : "";
            End(timer.IsCancellationRequested ? new IOException($"The node did not respond within {most.TotalSeconds:0.###} s.{hint}", error) : error);
            return;
        }

        Flush();
        StartReading();
    }

    // Writes the commands that waited for the handshake. Later commands are written when they are added.
    private void SendEarly()
    {
        List<RedisCommand> refused = [];
        lock (_lock)
        {
            if (_state != State.Opening)
            {
                throw new IOException("The connection was closed.");
            }

            foreach ((RedisCommand command, bool asking) in _early)
            {
                if (!TryWrite(command, asking, command.WireBytes))
                {
                    refused.Add(command);
                }
            }

            _early.Clear();
            _earlyBytes = 0;
            _state = State.Open;
        }

        foreach (RedisCommand command in refused)
        {
            _context.Fail(command, Overload.NoMemory);
        }
    }
}
