using System.Buffers;
using System.Buffers.Binary;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs ListErase as a script. Ranges at the ends of the list are trimmed. Elements of inner ranges are overwritten with a unique marker, and then all elements
/// that equal the marker are removed. All ranges therefore refer to the list as it was before the call.
/// </summary>
internal sealed class RemoteListErase() : RemoteListChange(isIdempotent: false)
{
    private const int RangeBytes = 2 * sizeof(uint);

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ChosenElements fields = ChosenElements.Decode(request);
        if (fields.Check() is { } error)
        {
            return error;
        }

        if (fields.Choice == ListEraseCall.All)
        {
            RemoteDeleteWhole.Begin(command, fields.Name, "list"u8);
            command.Step = 1;
            return null;
        }

        using ListRanges ranges = ListRanges.Decode(fields.Chosen, out CallError? malformed);
        if (malformed is not null)
        {
            return malformed;
        }

        ReadOnlySpan<ListRange> apart = ListRange.Apart(ranges.Span);
        byte[] packed = ArrayPool<byte>.Shared.Rent(Math.Max(apart.Length * RangeBytes, 1));
        for (int index = 0; index < apart.Length; index++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(packed.AsSpan(index * RangeBytes), apart[index].Begin);
            BinaryPrimitives.WriteUInt32LittleEndian(packed.AsSpan((index * RangeBytes) + sizeof(uint)), apart[index].Count);
        }

        command.KeepRequest(request);
        command.Begin(CollectionScripts.ListErase, fields.Name, 4);
        command.Add(Guid.NewGuid().ToByteArray());
        command.Add(packed.AsSpan(0, apart.Length * RangeBytes));
        command.Add(FleetLimits.MaxErasedElements);
        command.Add(command.MaxElements(FleetLimits.LightElements));
        ArrayPool<byte>.Shared.Return(packed);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.NeedsTurnAsHeavy(reply))
        {
            return command.BeginHeavy();
        }

        if (reply.Is(-1))
        {
            return FleetErrors.TooMuchErased;
        }

        if (command.Step == 1 && !reply.IsNull)
        {
            // The call removes the whole list. In this case the script returns no length.
            response.WriteVarintArm(1, 0);
            return null;
        }

        return base.Answer(command, ref reply, response);
    }
}
