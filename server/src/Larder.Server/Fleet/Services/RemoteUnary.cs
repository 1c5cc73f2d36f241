using System.Buffers;
using System.Threading.Tasks.Sources;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Services;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// One unary call of a gateway. Its task completes on the thread that has read the reply. The bytes of the request stay valid until the task completes, so they
/// are not copied.
/// </summary>
internal sealed class RemoteUnary(RemoteGateway gateway) : RemoteCaller, IValueTaskSource
{
    private readonly RemoteCommand _command = new();
    private ManualResetValueTaskSourceCore<bool> _source;
    private ReadOnlyMemory<byte> _request;
    private IBufferWriter<byte> _response = null!;
    private RpcContext _context = null!;

    public override object Owner => _context.Connection;

    public override bool IsGone => _context.IsAborted;

    /// <summary>Starts the call. The task completes when the response has been written.</summary>
    public ValueTask RunAsync(RemoteCall call, RemoteCache cache, ReadOnlyMemory<byte> request, IBufferWriter<byte> response, RpcContext context)
    {
        _request = request;
        _response = response;
        _context = context;

        // A pop, for example, must not run again when it has to wait for memory for its response, because the node has already removed the element.
        context.RunsOnce = !call.IsIdempotent;
        _source.Reset();
        _command.Caller = this;
        _command.Lane = RedisStore.PresentLane;
        long now = gateway.TimeProvider.GetTimestamp();
        _command.Prepare(call, new RemoteTarget(cache, gateway.Rules), 0, 0, now, gateway.EndOf(now, context.Remaining), request.Length);
        if (call.Begin(request.Span, _command) is { } error)
        {
            CallRouting.Fail(context, error);
            LetGo();
            return ValueTask.CompletedTask;
        }

        ValueTask task = new(this, _source.Version);
        _command.Start(gateway);
        gateway.Store.Flush();
        return task;
    }

    public override void OnReply(RemoteCommand command, ref RespReader reply)
    {
        if (reply.Frame.Length > LargeReply.LargeBytes)
        {
            // Processing a large reply is slow and may wait for memory, so it must not run on the thread that reads from the node.
            LargeReply large = new(reply.Frame);
            ThreadPool.UnsafeQueueUserWorkItem(static call => call.Unary.TakeLarge(call.Large), (Unary: this, Large: large), preferLocal: false);
        }
        else
        {
            Take(command, ref reply);
        }
    }

    private void TakeLarge(LargeReply large)
    {
        RespReader reply = large.Read();
        Take(_command, ref reply);
        gateway.Store.Flush();
        large.LetGo();
    }

    private void Take(RemoteCommand command, ref RespReader reply)
    {
        CallError? error;
        try
        {
            error = command.Call!.Answer(command, ref reply, _response);
        }
#pragma warning disable CA1031 // An exception while writing a response fails that call, not the node's connection.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            _source.SetException(thrown);
            return;
        }

        if (ReferenceEquals(error, RemoteCall.Again))
        {
            command.Start(gateway);
        }
        else
        {
            End(error);
        }
    }

    public override void OnFailure(RemoteCommand command, RedisFailure failure) => End(FleetErrors.Of(failure));

    public override void OnJoined(RemoteCommand command)
    {
        if (command.Join!.AnswerBytes > LargeReply.LargeBytes)
        {
            // Writing a large response is slow and may wait for memory, so it must not run on the thread that reads from the node.
            ThreadPool.UnsafeQueueUserWorkItem(static call => call.TakeJoined(), this, preferLocal: false);
        }
        else
        {
            TakeJoined();
        }
    }

    private void TakeJoined()
    {
        CallError? error;
        try
        {
            error = _command.Join!.Answer(_response);
        }
#pragma warning disable CA1031 // As above.
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            _source.SetException(thrown);
            return;
        }

        End(error);
    }

    public override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request) => _request;

    void IValueTaskSource.GetResult(short token)
    {
        try
        {
            _source.GetResult(token);
        }
        finally
        {
            LetGo();
        }
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    private void End(CallError? error)
    {
        if (error is not null)
        {
            CallRouting.Fail(_context, error);
        }

        _source.SetResult(true);
    }

    private void LetGo()
    {
        _command.Forget();
        _request = default;
        _response = null!;
        _context = null!;
        gateway.Unary.Return(this);
    }
}
