using System.Buffers;
using Larder.Store.Collections;

namespace Larder.Server.Calls;

/// <summary>ListConcatenateBack: adds elements behind the last, in the request's order.</summary>
internal static class ListConcatenateBackCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ListPush.Run(target, request, response, ListEnd.Back, ElementShape.Names);
}
