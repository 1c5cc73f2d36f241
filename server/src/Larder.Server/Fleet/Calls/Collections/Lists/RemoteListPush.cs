using System.Buffers;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Adds elements at one end of a list, with RPUSH or LPUSH. LPUSH reverses its arguments, so they are passed in reverse order.</summary>
/// <param name="end">The end at which the elements are added.</param>
/// <param name="shape">Whether the request contains one element or several.</param>
internal sealed class RemoteListPush(ListEnd end, ElementShape shape) : RemoteAdd(shape, isIdempotent: false, isBackward: end == ListEnd.Front)
{
    private readonly bool _isOne = shape == ElementShape.OneName;
    private readonly byte[] _verb = end == ListEnd.Front ? "LPUSH"u8.ToArray() : "RPUSH"u8.ToArray();

    public override void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        int count = part.Elements.Count;
        if (count == 0 && !_isOne)
        {
            command.Begin("LLEN"u8, part.Name);
            return;
        }

        // If the field of the element is missing, the element is empty, because proto3 omits an empty value.
        command.Begin(CollectionScripts.ListPush, part.Name, 4 + Math.Max(count, 1));
        command.Add(_verb);
        command.Add(part.Ttl.TtlMs);
        command.Add(part.Ttl.Refresh ? 1 : 0);
        command.Add(part.TruncateTo);
        if (count == 0)
        {
            command.Add(ReadOnlySpan<byte>.Empty);
        }

        for (int index = 0; index < count; index++)
        {
            command.Add(part.Elements.NameAt(end == ListEnd.Front ? count - 1 - index : index));
        }
    }

    public override void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number) =>
        response.WriteVarint(1, CollectionAnswer.ToUInt32(number));
}
