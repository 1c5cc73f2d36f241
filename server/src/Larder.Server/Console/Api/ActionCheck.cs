using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Larder.Server.Console.Api;

/// <summary>
/// Whether a request that acts, or asks for keys and values, comes from the console's own page: no other site can make a browser send its type, its origin
/// and the token that the page was told, which is another one in each process.
/// </summary>
internal sealed class ActionCheck
{
    /// <summary>The header of the page's token.</summary>
    public const string Header = "Larder-CSRF";

    private const string Json = "application/json";

    /// <summary>What the page is told, and sends back.</summary>
    public string Token { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(32));

    /// <summary>Why a request is refused that another site had a browser send; null where it is none.</summary>
    public static string? RefuseSite(HttpRequest request)
    {
        // Sent by every present browser; "none" is what a person typed.
        string site = request.Headers["Sec-Fetch-Site"].ToString();
        return site is "" or "same-origin" or "none" ? null : "the console answers no other site's pages";
    }

    /// <summary>Why an action is refused, and with which status; null where it may go on.</summary>
    public (int Status, string Why)? RefuseAction(HttpRequest request)
    {
        if (!IsOwnOrigin(request))
        {
            return (StatusCodes.Status403Forbidden, "an action comes from the console's own page: its Origin is the address of the request");
        }

        byte[] given = Encoding.UTF8.GetBytes(request.Headers[Header].ToString());
        if (!CryptographicOperations.FixedTimeEquals(given, Encoding.UTF8.GetBytes(Token)))
        {
            return (StatusCodes.Status403Forbidden, $"an action carries in {Header} what /api/session tells as csrf; load the page again");
        }

        return request.ContentType is { } type && type.Split(';')[0].Trim().Equals(Json, StringComparison.OrdinalIgnoreCase)
            ? null
            : (StatusCodes.Status415UnsupportedMediaType, $"an action is {Json}");
    }

    // By host and port: a proxy may speak TLS for us.
    private static bool IsOwnOrigin(HttpRequest request)
    {
        StringValues origins = request.Headers.Origin;
        return origins.Count == 1
            && Uri.TryCreate(origins[0], UriKind.Absolute, out Uri? origin)
            && (origin.Scheme is "http" or "https")
            && string.Equals(origin.Authority, request.Host.Value, StringComparison.OrdinalIgnoreCase);
    }
}
