using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs SetIf. If the condition depends only on whether the key exists, the command is SET with XX or NX. Otherwise the command is a script that compares the
/// value.
/// </summary>
internal sealed class RemoteSetIf() : RemoteCall(isIdempotent: false)
{
    private const int Stored = 1;
    private const int NotStored = 2;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item) ?? command.Target.Rules.CheckItem(item.Key, item.Value, item.TtlMs);
        if (error is not null)
        {
            return error;
        }

        if (item.ConditionField == 0)
        {
            return CallError.NoCondition;
        }

        if (item.DecodeComparand(out ReadOnlySpan<byte> comparand) is { } malformed)
        {
            return malformed;
        }

        switch (item.ConditionField)
        {
            case 4:
                command.BeginSet(item, "XX"u8);
                break;
            case 6:
                command.BeginSet(item, "NX"u8);
                break;
            default:
                BeginScript(item, comparand, command);
                break;
        }

        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        response.WriteEmptyArm(reply.IsNull ? NotStored : Stored);
        return null;
    }

    private static void BeginScript(scoped in ItemRequest item, ReadOnlySpan<byte> comparand, RemoteCommand command)
    {
        // Each number is 1 if the new value is stored in this case: the item is missing, its value equals the comparand, or its value is different.
        (int missing, int equal, int different) = item.ConditionField switch
        {
            5 => (0, 0, 1),
            7 => (0, 1, 0),
            8 => (1, 1, 0),
            _ => (1, 0, 1),
        };
        command.Begin(FleetScripts.SetIf, item.Key, 6);
        command.Add(item.Value);
        command.Add((long)item.TtlMs);
        command.Add(comparand);
        command.Add(missing);
        command.Add(equal);
        command.Add(different);
    }
}
