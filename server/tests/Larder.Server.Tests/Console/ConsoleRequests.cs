using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;

namespace Larder.Server.Tests.Console;

/// <summary>Asks a console what its page would ask, and what its page never would.</summary>
internal sealed class ConsoleRequests(Uri console) : IDisposable
{
    private readonly HttpClient _http = new();

    /// <summary>Where the console is.</summary>
    public Uri Address => console;

    /// <summary>The token that requests show; null: none.</summary>
    public string? Token { get; set; }

    /// <summary>The name that requests are addressed to; null: that of the address.</summary>
    public string? Host { get; set; }

    /// <summary>Where requests say that they come from; null: the address.</summary>
    public string? Origin { get; set; }

    /// <summary>What is sent as the page's token; null: what the server tells.</summary>
    public string? Csrf { get; set; }

    public string ContentType { get; set; } = "application/json";

    /// <summary>Reads.</summary>
    public Task<HttpResponseMessage> GetAsync(string path) => SendAsync(HttpMethod.Get, path, body: null, csrf: null);

    /// <summary>Reads JSON.</summary>
    public async Task<JsonNode> ReadAsync(string path)
    {
        using HttpResponseMessage answer = await GetAsync(path);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        return JsonNode.Parse(await answer.Content.ReadAsStringAsync())!;
    }

    /// <summary>Acts, as the page does.</summary>
    public async Task<HttpResponseMessage> ActAsync(HttpMethod method, string path, JsonNode body) => await ActAsync(method, path, body.ToJsonString());

    /// <summary>Acts, as the page does but for what was set.</summary>
    public async Task<HttpResponseMessage> ActAsync(HttpMethod method, string path, string body)
    {
        string csrf = Csrf ?? (string)(await new ConsoleRequests(console) { Token = Token }.ReadAsync("/api/session"))["csrf"]!;
        return await SendAsync(method, path, body, csrf);
    }

    /// <summary>Acts, and tells the status alone.</summary>
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
