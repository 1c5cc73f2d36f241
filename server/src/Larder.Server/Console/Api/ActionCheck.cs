using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Larder.Server.Console.Api;

/// <summary>
/// Verifies that a request for an action, or for keys and values, comes from the console's own page. Another site cannot make a browser send the required
/// content type, origin and CSRF token. Each process generates its own random CSRF token.
/// </summary>
internal sealed class ActionCheck
{
    /// <summary>The name of the header that contains the CSRF token.</summary>
    public const string Header = "Larder-CSRF";

    private const string Json = "application/json";

    /// <summary>Gets the CSRF token. The page receives it from the server and sends it back with each action.</summary>
    public string Token { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(32));

    /// <summary>Returns an error if another site made the browser send the request; otherwise null.</summary>
    public static string? RefuseSite(HttpRequest request)
    {
        // All current browsers send this header. The value "none" means that the user entered the address.
        string site = request.Headers["Sec-Fetch-Site"].ToString();
        return site is "" or "same-origin" or "none" ? null : "the console rejects requests from pages of other sites; open the console's own page";
    }

    /// <summary>Checks a request for an action. Returns null if the action is allowed, otherwise the HTTP status and the error.</summary>
    public (int Status, string Why)? RefuseAction(HttpRequest request)
    {
        if (!IsOwnOrigin(request))
        {
            return (StatusCodes.Status403Forbidden, "the Origin header does not match the console's address; run the action from the console's page");
        }

        byte[] given = Encoding.UTF8.GetBytes(request.Headers[Header].ToString());
        if (!CryptographicOperations.FixedTimeEquals(given, Encoding.UTF8.GetBytes(Token)))
        {
            return (StatusCodes.Status403Forbidden, $"the header {Header} is missing or wrong; reload the page");
        }

        return request.ContentType is { } type && type.Split(';')[0].Trim().Equals(Json, StringComparison.OrdinalIgnoreCase)
            ? null
            : (StatusCodes.Status415UnsupportedMediaType, $"the content type of an action must be {Json}");
    }

    // Compares host and port only, because a proxy may terminate TLS.
    private static bool IsOwnOrigin(HttpRequest request)
    {
        StringValues origins = request.Headers.Origin;
        return origins.Count == 1
            && Uri.TryCreate(origins[0], UriKind.Absolute, out Uri? origin)
            && (origin.Scheme is "http" or "https")
            && string.Equals(origin.Authority, request.Host.Value, StringComparison.OrdinalIgnoreCase);
    }
}
