namespace Larder.Lab.Story;

/// <summary>A transport of our client as a story measured it, and the code that did it: a page whose code is gone says so and recommends nothing.</summary>
/// <param name="Name"><c>unary pipeline</c>.</param>
/// <param name="Over">What carried its calls.</param>
/// <param name="Source">A file of that code, from the checkout's root.</param>
internal sealed record MeasuredTransport(string Name, string Over, string Source)
{
    /// <summary>A text that the file contained, if it later went on under the same name with other code; null if its existence is enough.</summary>
    public string? Marker { get; init; }

    /// <summary>What took its place; null while the code is in the tree.</summary>
    public string? ReplacedBy { get; init; }

    /// <summary>The transports of a language's client in this checkout.</summary>
    public static IReadOnlyList<MeasuredTransport> Of(string language) => language switch
    {
        "dotnet" =>
        [
            new("unary", "the client's own HTTP/2", "wire/src/Larder.Wire/Client/Connections/Http2Connection.cs"),
            new("pipeline", "one gRPC stream of the client's own HTTP/2", "clients/dotnet/src/Larder.Client/Transport/Pipeline/PipelineTransport.cs"),
        ],
        "python" =>
        [
            new("unary", "the client's own HTTP/2", "clients/python/larder_cache/_internal/http2/http2_connection.py"),
            new("pipeline", "one gRPC stream of the client's own HTTP/2", "clients/python/larder_cache/_internal/http2/http2_stream.py"),
        ],
        _ =>
        [
            new("unary", "the client's own HTTP/2", "clients/node/src/http2/http2-connection.ts"),
            new("pipeline", "one gRPC stream of the client's own HTTP/2", "clients/node/src/http2/http2-duplex.ts"),
        ],
    };

    /// <summary>Whether the code that was measured is in a checkout.</summary>
    public bool IsIn(string root)
    {
        string path = Path.Combine(root, Source);
        return File.Exists(path) && (Marker is null || File.ReadAllText(path).Contains(Marker, StringComparison.Ordinal));
    }
}
