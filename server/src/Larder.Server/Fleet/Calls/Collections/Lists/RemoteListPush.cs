using System.Buffers;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Adds elements at one end of a list: RPUSH, or LPUSH, which reverses its arguments and therefore gets them in reverse order.</summary>
/// <param name="end">The end of the list.</param>
/// <param name="shape">One element or several.</param>
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

        // Proto3 omits an empty element.
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
