using System.Collections.ObjectModel;
using Larder.Wire;

namespace Larder.Client;

/// <content>Additional metadata (headers) that the application sends with every call.</content>
public sealed partial record Configuration
{
    private static readonly string[] ClientsOwn =
    [
        "agent",
        "authorization",
        "cache",
        "connection",
        "content-type",
        "host",
        "http2-settings",
        "keep-alive",
        "proxy-connection",
        "runtime-version",
        "te",
        "transfer-encoding",
        "upgrade",
        "user-agent",
    ];

    /// <summary>
    /// Gets the additional metadata of every call. A name must consist of a–z, 0–9, '-', '_' and '.'. A value must be printable ASCII. Reserved names are
    /// invalid. Names are reserved by the client (<c>authorization</c>, <c>cache</c>, <c>agent</c>, <c>runtime-version</c>, <c>user-agent</c>), by gRPC
    /// (<c>grpc-…</c>, <c>…-bin</c>) and by the connection (<c>te</c>, <c>host</c> …). The dictionary is copied when the property is set. The default is empty.
    /// </summary>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IReadOnlyDictionary<string, string> Headers
    {
        get;
        init
        {
            ArgumentNullException.ThrowIfNull(value, nameof(Headers));
            field = new ReadOnlyDictionary<string, string>(new Dictionary<string, string>(value));
        }
    } = ReadOnlyDictionary<string, string>.Empty;

    private void CheckHeaders()
    {
        foreach ((string name, string value) in Headers)
        {
            bool isGrpcs = name.StartsWith("grpc-", StringComparison.Ordinal) || name.EndsWith("-bin", StringComparison.Ordinal);
            if (!RpcHeaders.IsName(name) || isGrpcs || ClientsOwn.Contains(name))
            {
                throw new ArgumentOutOfRangeException(
                    nameof(Headers),
                    name,
                    "A name in Headers must consist of a-z, 0-9, '-', '_' and '.', and must not be reserved by gRPC or the client.");
            }

            if (!RpcHeaders.IsValue(value))
            {
                // The value may be a secret, so the message does not contain it.
                throw new ArgumentOutOfRangeException(nameof(Headers), $"A value in Headers must be printable ASCII; the value of '{name}' is not.");
            }
        }
    }
}
