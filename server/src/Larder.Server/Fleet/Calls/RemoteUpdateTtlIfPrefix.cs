using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>Runs UpdateTtlIfPrefix as a script, because the comparison and the update must be one step.</summary>
internal sealed class RemoteUpdateTtlIfPrefix() : RemoteCall(isIdempotent: true)
{
    private const long Set = 1;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = UpdateTtlIfPrefixCall.Check(command.Target.Rules, request, out UpdateTtlIfPrefixFields fields);
        if (error is null)
        {
            command.Begin(FleetScripts.UpdateTtlIfPrefix, fields.Key, 3);
            command.Add(fields.Prefix);
            command.Add((long)fields.TtlMs);
            command.Add(Cache.MaxPrefixBytes);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.Kind != RespKind.Integer)
        {
            UpdateTtlIfPrefixAnswer.Different(response, reply.Bytes);
        }
        else if (reply.Integer == Set)
        {
            UpdateTtlIfPrefixAnswer.Set(response);
        }
        else
        {
            UpdateTtlIfPrefixAnswer.Missing(response);
        }

        return null;
    }
}
