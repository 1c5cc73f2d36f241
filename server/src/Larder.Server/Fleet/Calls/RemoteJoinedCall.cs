using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>A call that is joined from many: checked first, whole, and then split by key (FLEET-4).</summary>
internal abstract class RemoteJoinedCall() : RemoteCall(isIdempotent: true)
{
    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (Check(command.Target.Rules, request) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Join = Join(command);
        return null;
    }

    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) =>
        throw new InvalidOperationException("its parts are answered");

    /// <summary>Null where every item is one that may run.</summary>
    protected abstract CallError? Check(CallRules rules, ReadOnlySpan<byte> request);

    /// <summary>What joins its parts.</summary>
    protected abstract RemoteJoin Join(RemoteCommand command);
}
