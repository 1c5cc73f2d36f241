using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>ItemGetType: every item of this server is a scalar.</summary>
internal static class ItemGetTypeCall
{
    private const int Scalar = 0;

    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> key) is { } error)
        {
            return error;
        }

        if (target.Cache.Contains(key))
        {
            ItemGetTypeAnswer.Found(response, Scalar);
        }
        else
        {
            ItemGetTypeAnswer.Missing(response);
        }

        return null;
    }
}
