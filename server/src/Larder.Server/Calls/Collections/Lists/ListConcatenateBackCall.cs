using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListConcatenateBack: appends elements at the end, in the request's order.</summary>
internal static class ListConcatenateBackCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPush.Run(target, request, response, ListEnd.Back, ElementShape.Names);
}
