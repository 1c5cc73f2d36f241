using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Base of the calls that are split by key into one command per item. The whole request is checked before any command is sent (FLEET-4).</summary>
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
        throw new InvalidOperationException("A joined call does not receive a response itself; only its parts do.");

    /// <summary>Checks all items. Returns null if all are valid.</summary>
    protected abstract CallError? Check(CallRules rules, ReadOnlySpan<byte> request);

    /// <summary>Creates the object that runs the parts and combines their results.</summary>
    protected abstract RemoteJoin Join(RemoteCommand command);
}
