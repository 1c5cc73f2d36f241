using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListPopFront: removes and returns the first element.</summary>
internal static class ListPopFrontCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPop.Run(target, request, response, ListEnd.Front);
}
