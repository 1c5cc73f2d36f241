using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs UpdateTtl as a script, which distinguishes a missing item from an item whose TTL does not change.</summary>
internal sealed class RemoteUpdateTtl() : RemoteCall(isIdempotent: false)
{
    private const long Set = 1;
    private const long NotSet = 2;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = UpdateTtlFields.Decode(request, out UpdateTtlFields fields)
            ?? CallRules.CheckKey(fields.Key)
            ?? (fields.Change == 0 ? CallError.NoTtlChange : command.Target.Rules.CheckTtl(fields.TtlMs));
        if (error is null)
        {
            command.Begin(FleetScripts.UpdateTtl, fields.Key, 2);
            command.Add(fields.Change);
            command.Add((long)fields.TtlMs);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        switch (reply.Integer)
        {
            case Set:
                UpdateTtlAnswer.Set(response);
                break;
            case NotSet:
                UpdateTtlAnswer.NotSet(response);
                break;
            default:
                UpdateTtlAnswer.Missing(response);
                break;
        }

        return null;
    }
}
