using System.Buffers;
using System.Security.Cryptography;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs SetIfHash. The gateway reads the value and compares its hash, because Redis cannot compute this hash. It then stores the new value, provided that the
/// stored value still has the SHA-1 of the value that was read. If another caller has changed the item in between, the call starts over, up to a maximum number
/// of attempts.
/// </summary>
internal sealed class RemoteSetIfHash() : RemoteCall(isIdempotent: false)
{
    private const int Stored = 1;
    private const int NotStored = 2;
    private const int Unconditional = 8;

    // The odd steps read the item, the even steps store it.
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
        if (command.NeedsTurnAsHeavy(reply))
        {
            command.Effort = Effort.Heavy;
            Read(item, command, command.Step);
            return Again;
        }

        bool isRead = command.Step % 2 == 1;
        return isRead ? StoreIf(item, command, ref reply, response) : AnswerStored(item, command, ref reply, response);
    }

    public override void Digest(RemoteCommand command, RespReader reply)
    {
        if (command.Step % 2 == 1 && !reply.IsNull && reply.Kind != RespKind.Integer)
        {
            command.Digests = DigestsOf(reply.Bytes);
        }
    }

    // Returns the hash of the value, followed by the value's SHA-1 in hexadecimal.
    private static byte[] DigestsOf(ReadOnlySpan<byte> value)
    {
        byte[] digests = new byte[Cache.ValueHashBytes + (2 * SHA1.HashSizeInBytes)];
        Cache.HashValue(value, digests.AsSpan(0, Cache.ValueHashBytes));
        Span<byte> sha1 = stackalloc byte[SHA1.HashSizeInBytes];
#pragma warning disable CA5350 // SHA-1 only identifies the value, because scripts can compute it too. It does not protect a secret.
        SHA1.HashData(value, sha1);
#pragma warning restore CA5350
        Convert.TryToHexStringLower(sha1, digests.AsSpan(Cache.ValueHashBytes), out _);
        return digests;
    }

    private static void Read(scoped in ItemRequest item, RemoteCommand command, int step)
    {
        command.Step = step;
        command.Digests = null;
        command.IsRepeatable = true;
        command.BeginValueGet(item.Key);
    }

    private static CallError? StoreIf(scoped in ItemRequest item, RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        byte[]? digests = reply.IsNull ? null : command.Digests ?? DigestsOf(reply.Bytes);
        if (!Holds(item, digests))
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

        command.Begin(FleetScripts.SetIfSame, item.Key, 3);
        command.Add(item.Value);
        command.Add((long)item.TtlMs);
        command.Add(digests.AsSpan(Cache.ValueHashBytes));
        return Again;
    }

    private static bool Holds(scoped in ItemRequest item, byte[]? digests)
    {
        if (digests is null)
        {
            return item.ConditionField is 6 or 7;
        }

        item.DecodeComparand(out ReadOnlySpan<byte> wanted);
        bool isEqual = digests.AsSpan(0, Cache.ValueHashBytes).SequenceEqual(wanted);
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
