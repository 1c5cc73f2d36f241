using System.Buffers;
using Larder.Store;

namespace Larder.Server.Calls;

/// <summary>Runs one call: decodes <paramref name="request"/>, accesses the cache and writes the response message.</summary>
/// <param name="target">The cache and the limits.</param>
/// <param name="request">The request message; must not be kept.</param>
/// <param name="response">Receives the response message; nothing is written if the call fails.</param>
/// <returns>Null on success.</returns>
internal delegate CallError? CacheCallHandler(CallTarget target, ReadOnlySpan<byte> request, IBufferWriter<byte> response);

/// <summary>The cache that a call accesses, and the limits of the call.</summary>
/// <param name="Cache">The cache named by the call.</param>
/// <param name="Rules">The limits that the call is checked against.</param>
/// <param name="MaxAnswerBytes">
/// The maximum size of a value, or of all encoded responses of a batch together. If a response is larger, the call fails with <see cref="CallError.UseUnary"/>.
/// </param>
internal readonly record struct CallTarget(Cache Cache, CallRules Rules, int MaxAnswerBytes = int.MaxValue);

/// <summary>Describes a data call. The unary form and the pipeline use the same description.</summary>
/// <param name="Name">The name of the rpc.</param>
/// <param name="KebabName">The name of the call in the fault-injection metadata, in kebab case.</param>
/// <param name="PipelineField">The number of the call's field in the pipeline's <c>Operation</c> and <c>Result</c>.</param>
/// <param name="Cost">What determines the cost of the call.</param>
/// <param name="Handler">Runs the call.</param>
/// <param name="HasList">Whether the request, or a message in it, has a repeated field.</param>
internal sealed record CacheCall(string Name, string KebabName, int PipelineField, CostKind Cost, CacheCallHandler Handler, bool HasList = false)
{
    /// <summary>
    /// The maximum size of a request that runs on the thread that received it: 4 KB. A larger request can contain more than 1,000 elements, which take about
    /// 0.4 ms.
    /// </summary>
    public const int MaxShortRequestBytes = 4 * 1024;

    /// <summary>
    /// Returns whether a call takes too long for the thread that received it, because its request is large. The store detects other long-running calls before
    /// they begin (<see cref="Larder.Store.CallPace.Short"/>).
    /// </summary>
    /// <param name="requestBytes">The size of the request message in bytes.</param>
    public bool IsLong(long requestBytes) =>
        requestBytes > MaxShortRequestBytes && Cost is CostKind.Elements or CostKind.Collection or CostKind.Sources;

    /// <summary>Gets the wire path of the unary form.</summary>
    public string Path { get; } = $"/cache_client.Scs/{Name}";
}
