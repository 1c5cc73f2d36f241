using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs a <see cref="RemoteJoin"/> for a streaming call, and provides a task that the caller can await. The request must stay valid until the task completes.
/// </summary>
internal sealed class JoinedCall : RemoteCaller
{
    private readonly TaskCompletionSource _joined = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly RemoteCommand _command = new();
    private readonly ReadOnlyMemory<byte> _request;
    private readonly RpcContext _context;

    /// <param name="gateway">The gateway.</param>
    /// <param name="call">The implementation of the call.</param>
    /// <param name="cache">The cache.</param>
    /// <param name="request">The request, or its remaining part.</param>
    /// <param name="context">The context of the streaming call.</param>
    public JoinedCall(RemoteGateway gateway, RemoteCall call, RemoteCache cache, ReadOnlyMemory<byte> request, RpcContext context)
    {
        _request = request;
        _context = context;
        _command.Caller = this;
        long now = gateway.TimeProvider.GetTimestamp();
        _command.Prepare(call, new RemoteTarget(cache, gateway.Rules), 0, 0, now, gateway.EndOf(now, context.Remaining), request.Length);
        _command.Request = request;
    }

    public override object Owner => _context.Connection;

    public override bool IsGone => _context.IsAborted;

    /// <summary>Gets the command of the whole call. Each part has its own command.</summary>
    public RemoteCommand Command => _command;

    /// <summary>Runs the call. The returned task completes when all parts have ended.</summary>
    public Task RunAsync(RemoteGateway gateway, RemoteJoin join)
    {
        _command.Join = join;
        _command.Start(gateway);
        gateway.Store.Flush();
        return _joined.Task;
    }

    public override void OnReply(RemoteCommand command, ref RespReader reply) => throw new InvalidOperationException(
        "A joined call does not receive a response itself; only its parts do.");

    public override void OnFailure(RemoteCommand command, RedisFailure failure) => throw new InvalidOperationException(
        "A joined call cannot fail itself; only its parts can.");

    public override void OnJoined(RemoteCommand command) => _joined.SetResult();

    public override ReadOnlyMemory<byte> Keep(RemoteCommand command, ReadOnlySpan<byte> request) => _request;
}
