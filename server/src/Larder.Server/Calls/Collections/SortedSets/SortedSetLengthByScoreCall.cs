using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>SortedSetLengthByScore: returns the number of elements with a score in a range.</summary>
internal static class SortedSetLengthByScoreCall
{
    public static CallError? Run(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response) =>
        ScoresRequest.Decode(request, out ScoresRequest fields)
        ?? CollectionAnswer.EndLength(target.Cache.SortedSetLengthByScore(fields.Name, fields.Scores, out long length), target, response, length);
}
