using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;

namespace Larder.Server.Tests.Console;

/// <summary>Sends requests to a console. These are the requests that the page of the console sends, and invalid variants of them.</summary>
internal sealed class ConsoleRequests(Uri console) : IDisposable
{
    private readonly HttpClient _http = new();

    /// <summary>The address of the console.</summary>
    public Uri Address => console;

    /// <summary>The token that requests carry. If null, requests carry no token.</summary>
    public string? Token { get; set; }

    /// <summary>The Host header of requests. If null, the host of the address is sent.</summary>
    public string? Host { get; set; }

    /// <summary>The Origin header of requests. If null, the origin of the address is sent.</summary>
    public string? Origin { get; set; }

    /// <summary>The CSRF token that requests carry. If null, requests carry the token that the server issued.</summary>
    public string? Csrf { get; set; }

    public string ContentType { get; set; } = "application/json";

    public Task<HttpResponseMessage> GetAsync(string path) => SendAsync(HttpMethod.Get, path, body: null, csrf: null);

    /// <summary>Gets a JSON document. Fails unless the status is 200.</summary>
    public async Task<JsonNode> ReadAsync(string path)
    {
        using HttpResponseMessage answer = await GetAsync(path);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        return JsonNode.Parse(await answer.Content.ReadAsStringAsync())!;
    }

    /// <summary>Sends a change request in the same way as the page.</summary>
    public async Task<HttpResponseMessage> ActAsync(HttpMethod method, string path, JsonNode body) => await ActAsync(method, path, body.ToJsonString());

    /// <summary>Sends a change request in the same way as the page, except for the properties that a test has set.</summary>
    public async Task<HttpResponseMessage> ActAsync(HttpMethod method, string path, string body)
    {
        string csrf = Csrf ?? (string)(await new ConsoleRequests(console) { Token = Token }.ReadAsync("/api/session"))["csrf"]!;
        return await SendAsync(method, path, body, csrf);
    }

    /// <summary>Sends a change request and returns only the status.</summary>
    public async Task<HttpStatusCode> StatusAsync(HttpMethod method, string path, JsonNode body)
    {
        using HttpResponseMessage answer = await ActAsync(method, path, body);
        return answer.StatusCode;
    }

    public void Dispose() => _http.Dispose();

    private async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, string? body, string? csrf)
    {
        using HttpRequestMessage request = new(method, new Uri(console, path));
        if (body is not null)
        {
            request.Content = new StringContent(body, Encoding.UTF8, new MediaTypeHeaderValue(ContentType));
            request.Headers.Add("Origin", Origin ?? console.GetLeftPart(UriPartial.Authority));
            request.Headers.Add("Larder-CSRF", csrf);
        }

        if (Token is not null)
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Token);
        }

        request.Headers.Host = Host;
        return await _http.SendAsync(request);
    }
}
