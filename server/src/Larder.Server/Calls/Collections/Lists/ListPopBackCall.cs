using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListPopBack: removes and returns the last element.</summary>
internal static class ListPopBackCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPop.Run(target, request, response, ListEnd.Back);
}
