namespace Larder.Lab.Story;

/// <summary>
/// A measured transport of the Larder client, and the code that implemented it. If that code no longer exists, the page states this and recommends nothing.
/// </summary>
/// <param name="Name"><c>unary</c> or <c>pipeline</c>.</param>
/// <param name="Over">The protocol that carried the calls.</param>
/// <param name="Source">A file of the code, relative to the root of the checkout.</param>
internal sealed record MeasuredTransport(string Name, string Over, string Source)
{
    /// <summary>
    /// Gets a text that <see cref="Source"/> contained at the time of the measurement. It distinguishes the measured code from later code in a file with the
    /// same name. Null if the file alone identifies the code.
    /// </summary>
    public string? Marker { get; init; }

    /// <summary>Gets the name of the code that replaced the measured code; null while the measured code is in the repository.</summary>
    public string? ReplacedBy { get; init; }

    /// <summary>Returns the transports of a language's client in this checkout.</summary>
    public static IReadOnlyList<MeasuredTransport> Of(string language) => language switch
    {
        "dotnet" =>
        [
            new("unary", "the client's built-in HTTP/2 implementation", "wire/src/Larder.Wire/Client/Connections/Http2Connection.cs"),
            new(
                "pipeline",
                "one gRPC stream over the client's built-in HTTP/2 implementation",
                "clients/dotnet/src/Larder.Client/Transport/Pipeline/PipelineTransport.cs"),
        ],
        "python" =>
        [
            new("unary", "the client's built-in HTTP/2 implementation", "clients/python/larder_cache/_internal/http2/http2_connection.py"),
            new("pipeline", "one gRPC stream over the client's built-in HTTP/2 implementation", "clients/python/larder_cache/_internal/http2/http2_stream.py"),
        ],
        _ =>
        [
            new("unary", "the client's built-in HTTP/2 implementation", "clients/node/src/http2/http2-connection.ts"),
            new("pipeline", "one gRPC stream over the client's built-in HTTP/2 implementation", "clients/node/src/http2/http2-duplex.ts"),
        ],
    };

    /// <summary>Returns whether a checkout contains the code that was measured.</summary>
    public bool IsIn(string root)
    {
        string path = Path.Combine(root, Source);
        return File.Exists(path) && (Marker is null || File.ReadAllText(path).Contains(Marker, StringComparison.Ordinal));
    }
}
