using System.Globalization;
using System.Text;
using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>Collects elements as text: "name", "field=value", "member:score", and "-name" for a missing element.</summary>
internal readonly struct TextSink(List<string> shown) : ICollectionSink
{
    public List<string> Shown => shown;

    public void Begin(long elements) => Assert.Empty(shown);

    public void Accept(in CollectionElement element)
    {
        string name = Encoding.UTF8.GetString(element.Name);
        string value = element.Value.IsEmpty ? "" : $"={Encoding.UTF8.GetString(element.Value)}";
        string score = element.Score == 0 ? "" : $":{element.Score.ToString(CultureInfo.InvariantCulture)}";
        shown.Add(element.IsPresent ? name + value + score : $"-{name}");
    }

    /// <summary>Returns the elements separated by spaces, or the outcome if the call failed.</summary>
    public string Text(CollectionOutcome outcome) => outcome == CollectionOutcome.Ok ? string.Join(' ', shown) : outcome.ToString();
}
