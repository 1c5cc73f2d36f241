using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListPopBack: shows the last element and removes it.</summary>
internal static class ListPopBackCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPop.Run(target, request, response, ListEnd.Back);
}
