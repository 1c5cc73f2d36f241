using System.Buffers;
using System.Security.Cryptography;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>
/// SetIfHash: the value is read and its hash compared here, since the engine cannot make it; then it is stored where the item is what was read, by its SHA-1.
/// Where others have changed it in between, all begins anew, a bounded number of times.
/// </summary>
internal sealed class RemoteSetIfHash() : RemoteCall(isIdempotent: false)
{
    private const int Stored = 1;
    private const int NotStored = 2;
    private const int Unconditional = 8;

    // Odd: the item is being read. Even: it is being stored.
    private const int FirstRead = 1;

    public override Effort FirstEffort => Effort.Light;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = ItemRequest.Decode(request, out ItemRequest item)
            ?? command.Target.Rules.CheckItem(item.Key, item.Value, item.TtlMs)
            ?? (item.ConditionField is 0 or 9 ? CallError.NoCondition : item.DecodeComparand(out _));
        if (error is not null)
        {
            return error;
        }

        command.KeepRequest(request);
        if (item.ConditionField == Unconditional)
        {
            command.Step = FirstRead + 1;
            command.Effort = Effort.Small;
            command.BeginSet(item);
        }
        else
        {
            Read(item, command, FirstRead);
        }

        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        ItemRequest.Decode(command.Request.Span, out ItemRequest item);
        if (command.IsTooHeavy(reply))
        {
            command.Effort = Effort.Heavy;
            Read(item, command, command.Step);
            return Again;
        }

        bool isRead = command.Step % 2 == 1;
        return isRead ? StoreIf(item, command, ref reply, response) : AnswerStored(item, command, ref reply, response);
    }

    private static void Read(scoped in ItemRequest item, RemoteCommand command, int step)
    {
        command.Step = step;
        command.IsRepeatable = true;
        command.BeginValueGet(item.Key);
    }

    private static CallError? StoreIf(scoped in ItemRequest item, RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (!Holds(item, ref reply))
        {
            response.WriteEmptyArm(NotStored);
            return null;
        }

        command.Step++;
        command.IsRepeatable = false;
        if (reply.IsNull)
        {
            command.BeginSet(item, "NX"u8);
            return Again;
        }

        Span<byte> sha1 = stackalloc byte[SHA1.HashSizeInBytes];
#pragma warning disable CA5350 // A name for the value that scripts can make too, and no secret.
        SHA1.HashData(reply.Bytes, sha1);
#pragma warning restore CA5350
        Span<byte> hex = stackalloc byte[2 * SHA1.HashSizeInBytes];
        Convert.TryToHexStringLower(sha1, hex, out _);
        command.Begin(FleetScripts.SetIfSame, item.Key, 3);
        command.Add(item.Value);
        command.Add((long)item.TtlMs);
        command.Add(hex);
        return Again;
    }

    private static bool Holds(scoped in ItemRequest item, ref RespReader reply)
    {
        if (reply.IsNull)
        {
            return item.ConditionField is 6 or 7;
        }

        item.DecodeComparand(out ReadOnlySpan<byte> wanted);
        Span<byte> hash = stackalloc byte[Cache.ValueHashBytes];
        Cache.HashValue(reply.Bytes, hash);
        bool isEqual = hash.SequenceEqual(wanted);
        return item.ConditionField is 5 or 6 ? isEqual : !isEqual;
    }

    private static CallError? AnswerStored(scoped in ItemRequest item, RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (!reply.IsNull)
        {
            Span<byte> hash = stackalloc byte[Cache.ValueHashBytes];
            Cache.HashValue(item.Value, hash);
            response.WriteBytesArm(Stored, hash);
            return null;
        }

        if (command.Step >= 2 * FleetLimits.MaxCompareAndSets)
        {
            return FleetErrors.Contended;
        }

        Read(item, command, command.Step + 1);
        return Again;
    }
}
